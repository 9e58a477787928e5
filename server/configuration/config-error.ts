import { StartupError } from '../errors/operator-errors.ts'

/** A variable of the environment that can't be used: its name, its value unless secret, and what is accepted. */
export class ConfigError extends StartupError {
  override readonly name = 'ConfigError'
}
