import { resolve } from 'node:path'
import { isBuilt } from './build-stamp.mjs'
import { build, runBuilt } from './run-built.mjs'

if (!(await isBuilt(resolve(import.meta.dirname, '..'), process.env))) build()
await runBuilt('main')
