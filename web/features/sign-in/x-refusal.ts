import { fieldsOf } from '#shared/fields.ts'

/** What a backend answers that does not send a person to X. */
export interface XRefusal {
  status: number
  code: string
  message: string
}

/** Whether it refuses because sign-in with X is not set up there, rather than for a reason that may pass. */
export function isNotOffered({ status, message }: XRefusal): boolean {
  return status === 400 && message.startsWith('Unsupported provider')
}

/** Reads such an answer: in the shape of the auth protocol that has `msg`, or in the newer one that has `message`. */
export function readXRefusal(status: number, answer: unknown): XRefusal {
  const fields = fieldsOf(answer)
  const text = (...names: string[]) =>
    names.map((name) => fields[name]).find((value) => typeof value === 'string') ?? ''
  return { status, code: text('error_code', 'code'), message: text('msg', 'message') }
}
