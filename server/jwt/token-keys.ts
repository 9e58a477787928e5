/** What signs and checks the tokens of this installation. Shared by all servers on one database. */
export interface TokenKeys {
  /** HS256 secret. */
  secret: Uint8Array
  /** The public key of the API, sent as `apikey`: a token of role `anon`, or `sb_publishable_…`, which is none. */
  anonKey: string
}
