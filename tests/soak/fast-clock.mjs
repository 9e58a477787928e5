// Loaded into a server's process before everything else: its days pass SOAK_SPEED times as fast, from SOAK_START
// (milliseconds since 1970) on, in all processes alike. What is done every so many minutes is done that much more often.
const Clock = Date
const start = Number(process.env['SOAK_START'])
const speed = Number(process.env['SOAK_SPEED'])
const LONG = 60_000

function now() {
  return start + (Clock.now() - start) * speed
}

globalThis.Date = new Proxy(Clock, {
  construct: (_clock, given) => {
    /** @type {Date} */
    const date = Reflect.construct(Clock, given.length === 0 ? [now()] : given)
    return date
  },
  get: (_clock, name) => (name === 'now' ? now : /** @type {unknown} */ (Reflect.get(Clock, name))),
})

globalThis.setInterval = new Proxy(setInterval, {
  apply: (set, self, [work, milliseconds, ...rest]) =>
    /** @type {unknown} */ (
      Reflect.apply(set, self, [work, milliseconds < LONG ? milliseconds : milliseconds / speed, ...rest])
    ),
})
