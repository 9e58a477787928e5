import { expect, it } from 'vitest'
import { findShortcoming, type Capabilities } from './database-requirements.ts'

const capable: Capabilities = {
  version: '15.0',
  version_number: 150_000,
  user_name: 'app',
  database_name: 'prayers',
  encoding: 'UTF8',
  may_create_schemas: true,
  may_create_tables: true,
  may_create_roles: false,
  missing_roles: [],
  barred_roles: [],
  other_owner: null,
  foreign_auth_schema: false,
}

it('accepts a database that meets the requirements', () => {
  expect(findShortcoming(capable)).toBeNull()
  expect(findShortcoming({ ...capable, missing_roles: ['anon'], may_create_roles: true })).toBeNull()
})

it.each<[Partial<Capabilities>, string]>([
  [
    { version: '14.9', version_number: 140_009 },
    'leads to PostgreSQL 14.9, and Intercede needs 15 or newer.',
  ],
  [{ encoding: 'SQL_ASCII' }, 'the database "prayers" is encoded in SQL_ASCII, and Intercede needs UTF8.'],
  [
    { may_create_schemas: false },
    `"app" may not create schemas and tables in the database "prayers": make it`,
  ],
  [
    { may_create_tables: false },
    `"app" may not create schemas and tables in the database "prayers": make it`,
  ],
  [
    { missing_roles: ['anon', 'authenticated'] },
    'may not create the roles anon and authenticated that requests run as',
  ],
  [
    { missing_roles: ['anon', 'authenticated', 'intercede_data'] },
    'may not create the roles anon, authenticated and intercede_data that requests run as',
  ],
  [{ barred_roles: ['anon'] }, 'run GRANT anon TO "app" as an administrator.'],
  [{ foreign_auth_schema: true }, `has an "auth" schema that is not Intercede's`],
])('rejects a database with %j', (found, message) => {
  expect(findShortcoming({ ...capable, ...found })).toContain(message)
})
