import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useId,
  useRef,
  useState,
} from 'react'

interface MenuProps {
  /** Name of the button and of the list of actions. */
  label: string
  /** What the button shows. */
  trigger: ReactNode
  triggerClassName?: string
  /** Shown above the actions. */
  header?: ReactNode
  /** `MenuItem`s. */
  children: ReactNode
}

/** A button with a dropdown of actions: opens on click, closes on a click outside, Esc or Tab; arrows move. */
export function Menu({ label, trigger, triggerClassName, header, children }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [place, setPlace] = useState({ top: 0, right: 0 })

  // What the panel holds is put in before it shows, so that it can be measured and found by the keyboard.
  const unfold = (event: ToggleEvent<HTMLDivElement>) => {
    setOpen(event.newState === 'open')
    setPlace(below(button.current))
  }
  // The browser tells a moment after it has shown the panel: a key pressed meanwhile has moved the focus already.
  const focusFirst = (event: ToggleEvent<HTMLDivElement>) => {
    const isThere = panel.current?.contains(document.activeElement)
    if (event.newState === 'open' && !isThere) itemsOf(panel.current)[0]?.focus()
  }
  const pressedOnButton = (event: KeyboardEvent) => {
    if (open) moveInMenu(event, panel.current)
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
        onKeyDown={pressedOnButton}
        className={triggerClassName}
      >
        {trigger}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        style={place}
        onBeforeToggle={unfold}
        onToggle={focusFirst}
        className="menu-panel absolute inset-auto m-0 w-72 max-w-[calc(100vw-2rem)] rounded-lg border border-line bg-raised p-2 text-ink shadow-raised"
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
                if (event.key === 'Escape') closeFor(button.current, panel.current)
                else moveInMenu(event, panel.current)
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

/** One action of a `Menu`. */
export function MenuItem(props: Omit<ComponentProps<'button'>, 'className'>) {
  return <button type="button" role="menuitem" tabIndex={-1} {...props} className={ITEM} />
}

/** A way to another screen, among the actions of a `Menu`; it closes the menu. Use a router's link with `asChild`. */
export function MenuLink({ children, ...rest }: Omit<ComponentProps<'a'>, 'className'>) {
  return (
    <a role="menuitem" tabIndex={-1} {...rest} className={ITEM}>
      {children}
    </a>
  )
}

function below(button: HTMLElement | null): { top: number; right: number } {
  const box = button?.getBoundingClientRect()
  const gap = 8
  return box
    ? { top: box.bottom + window.scrollY + gap, right: document.documentElement.clientWidth - box.right }
    : { top: 0, right: 0 }
}

/** The browser closes the panel on Esc, but does not give the focus back that the panel took after it opened. */
function closeFor(button: HTMLElement | null, panel: HTMLElement | null): void {
  panel?.hidePopover()
  button?.focus()
}

function itemsOf(panel: HTMLElement | null): HTMLElement[] {
  return panel ? [...panel.querySelectorAll<HTMLElement>('[role=menuitem]')] : []
}

function moveInMenu(event: KeyboardEvent, panel: HTMLElement | null): void {
  const items = itemsOf(panel)
  const focused = document.activeElement
  const at = focused instanceof HTMLElement ? items.indexOf(focused) : -1
  const target: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
  const next = target[event.key]
  if (next !== undefined) {
    event.preventDefault()
    items.at(next % items.length)?.focus()
  } else if (event.key === 'Tab') panel?.hidePopover()
}
