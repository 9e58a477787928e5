// Loaded into the server's process before its own code. The clock runs SOAK_SPEED times as fast, starting at SOAK_START
// (milliseconds since 1970), and long intervals are shortened accordingly.
const RealDate = Date
const start = Number(process.env['SOAK_START'])
const speed = Number(process.env['SOAK_SPEED'])
const LONG_INTERVAL = 60_000

function now() {
  return start + (RealDate.now() - start) * speed
}

globalThis.Date = new Proxy(RealDate, {
  construct: (_clock, args) => {
    /** @type {Date} */
    const date = Reflect.construct(RealDate, args.length === 0 ? [now()] : args)
    return date
  },
  get: (_clock, name) => (name === 'now' ? now : /** @type {unknown} */ (Reflect.get(RealDate, name))),
})

globalThis.setInterval = new Proxy(setInterval, {
  apply: (set, self, [callback, milliseconds, ...rest]) =>
    /** @type {unknown} */ (
      Reflect.apply(set, self, [
        callback,
        milliseconds < LONG_INTERVAL ? milliseconds : milliseconds / speed,
        ...rest,
      ])
    ),
})
