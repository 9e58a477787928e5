/** Makes the body of an answer. Whatever goes wrong ends the floor. */
export type Answerer = (connection: number, path: string, body: string) => Promise<string>
