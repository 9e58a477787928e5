import { runBuilt } from './run-built.mjs'

// What is built is what runs: newer sources are left for the next start.
await runBuilt('backup')
