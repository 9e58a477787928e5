import { Component, type ReactNode } from 'react'
import { reloadFromServer } from '#web/lib/loading/reload.ts'
import { Button } from '#web/ui/button.tsx'

interface ErrorBoundaryProps {
  /** When it changes, the children are rendered again. */
  place: string
  /** Whether a layout with the main landmark surrounds it, which stays. */
  isInLayout?: boolean
  children: ReactNode
}

interface ErrorBoundaryState {
  place: string
  failed: boolean
}

/** Shown instead of a screen that throws, or whose chunk can't be loaded. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  static getDerivedStateFromProps({ place }: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return place === state.place ? null : { place, failed: false }
  }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override state: ErrorBoundaryState = { place: this.props.place, failed: false }

  override render(): ReactNode {
    const { isInLayout = false, children } = this.props
    return this.state.failed ? <ScreenFailed as={isInLayout ? 'div' : 'main'} /> : children
  }
}

/** Shown instead of what could not be loaded. Loading the page again tries the same URL. */
export function ScreenFailed({ as: Container }: { as: 'main' | 'div' }) {
  return (
    <Container className="m-auto flex max-w-prose flex-col items-center gap-5 px-6 py-16 text-center">
      <h1 className="text-3xl tracking-tight">This page could not be shown</h1>
      <p role="alert" className="text-ink-soft">
        Part of it could not be loaded, or something went wrong while showing it. Nothing that was saved is
        lost.
      </p>
      <Button variant="primary" onClick={() => void reloadFromServer()}>
        Load the page again
      </Button>
    </Container>
  )
}
