import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { closeOnBack } from './close-on-back.ts'

interface MenuProps {
  /** Accessible name of the button and of the menu. */
  label: string
  /** Content of the button. */
  trigger: ReactNode
  triggerClassName?: string
  /** Shown above the items. */
  header?: ReactNode
  /** `MenuItem`s and `MenuLink`s. */
  children: ReactNode
}

/** A button with a dropdown menu. Closes on a click outside, Esc, Tab and "back"; arrow keys, Home and End move the focus. */
export function Menu({ label, trigger, triggerClassName, header, children }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [position, setPosition] = useState({ top: 0, right: 0 })

  useEffect(
    () => (open ? closeOnBack(() => closeAndFocus(button.current, panel.current)) : undefined),
    [open],
  )

  // The items are rendered before the panel is shown, so that it can be measured and items can be focused.
  const prepare = (event: ToggleEvent<HTMLDivElement>) => {
    setOpen(event.newState === 'open')
    setPosition(positionBelow(button.current))
  }
  // The event fires a moment after the panel is shown: a key pressed meanwhile may have moved the focus.
  const focusFirst = (event: ToggleEvent<HTMLDivElement>) => {
    const hasFocus = panel.current?.contains(document.activeElement)
    if (event.newState === 'open' && !hasFocus) itemsOf(panel.current)[0]?.focus()
  }
  const handleButtonKey = (event: KeyboardEvent) => {
    if (open) handleMenuKey(event, panel.current)
    else if (event.key === 'ArrowDown') {
      event.preventDefault()
      panel.current?.showPopover()
    }
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        onKeyDown={handleButtonKey}
        className={triggerClassName}
      >
        {trigger}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        style={position}
        onBeforeToggle={prepare}
        onToggle={focusFirst}
        className="menu-panel absolute inset-auto m-0 max-h-[min(32rem,calc(100dvh-8rem))] w-max max-w-[min(18rem,calc(100vw-2rem))] min-w-44 overflow-y-auto overscroll-contain rounded-lg border border-line bg-raised p-2 text-ink shadow-raised"
      >
        {open && (
          <>
            {header}
            <div
              role="menu"
              tabIndex={-1}
              aria-label={label}
              onClick={(event) => {
                if (event.target instanceof Element && event.target.closest('a')) panel.current?.hidePopover()
              }}
              onKeyDown={(event) => {
                if (event.key === 'Escape') closeAndFocus(button.current, panel.current)
                else handleMenuKey(event, panel.current)
              }}
            >
              {children}
            </div>
          </>
        )}
      </div>
    </>
  )
}

const ITEM =
  'flex min-h-11 w-full items-center gap-3 rounded-md px-3 py-2 text-left transition-colors hover:bg-sunken ' +
  'aria-disabled:opacity-60'

/** An action in a `Menu`. */
export function MenuItem(props: Omit<ComponentProps<'button'>, 'className'>) {
  return <button type="button" role="menuitem" {...props} className={ITEM} />
}

/**
 * A link in a `Menu`; it closes the menu. Wrap it in the router's `Link` with `asChild` and `replace`: the new screen takes
 * the place of the menu in the browser's history.
 */
export function MenuLink({ children, ...rest }: Omit<ComponentProps<'a'>, 'className'>) {
  return (
    <a role="menuitem" {...rest} className={ITEM}>
      {children}
    </a>
  )
}

/** Closes the menu that an item belongs to. */
export function closeMenu(item: HTMLElement): void {
  item.closest<HTMLElement>('[popover]')?.hidePopover()
}

function positionBelow(button: HTMLElement | null): { top: number; right: number } {
  const box = button?.getBoundingClientRect()
  const gap = 8
  return box
    ? {
        top: box.bottom + window.scrollY + gap,
        right: Math.max(document.documentElement.clientWidth - box.right, gap),
      }
    : { top: 0, right: 0 }
}

/** The focus was moved after opening, so the browser does not restore it. */
function closeAndFocus(button: HTMLElement | null, panel: HTMLElement | null): void {
  panel?.hidePopover()
  button?.focus()
}

function itemsOf(panel: HTMLElement | null): HTMLElement[] {
  return panel ? [...panel.querySelectorAll<HTMLElement>('[role=menuitem]')] : []
}

function handleMenuKey(event: KeyboardEvent, panel: HTMLElement | null): void {
  const items = itemsOf(panel)
  const focused = document.activeElement
  const index = focused instanceof HTMLElement ? items.indexOf(focused) : -1
  const targets: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }
  const next = targets[event.key]
  if (next !== undefined) {
    event.preventDefault()
    items.at(next % items.length)?.focus()
  } else if (event.key === 'Tab') panel?.hidePopover()
}
