/** The driver's own conversion of bound values, which its public types leave out. */
declare module 'pg/lib/utils.js' {
  const conversions: { prepareValue(value: unknown): string | Buffer | null }
  export default conversions
}
