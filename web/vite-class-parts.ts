import type { Rolldown } from 'vite'
import type { Part } from './vite-unreached.ts'

type Program = ReturnType<Rolldown.PluginContext['parse']>
type Statement = Program['body'][number]
type Member = ReturnType<typeof classesOf>[number]['body']['body'][number]

/** The parts of all classes that a file declares. */
export function partsIn(program: Program): Part[] {
  return program.body.flatMap(classesOf).flatMap(({ body }) => body.body.flatMap(partsOf))
}

/** The classes that a statement declares, in any of the three ways of writing it. */
function classesOf(statement: Statement) {
  if (statement.type === 'ClassDeclaration') return [statement]
  if (statement.type === 'ExportDefaultDeclaration')
    return statement.declaration.type === 'ClassDeclaration' ? [statement.declaration] : []
  if (statement.type !== 'VariableDeclaration') return []
  return statement.declarations.flatMap(({ init }) => (init?.type === 'ClassExpression' ? [init] : []))
}

function partsOf(member: Member): Part[] {
  if (member.type !== 'MethodDefinition' || member.static) return []
  const { key, kind, value, start, end } = member
  if (kind === 'constructor') return value.body?.body.flatMap(groupOf) ?? []
  const isNamed = key.type === 'Identifier' || key.type === 'PrivateIdentifier'
  return kind === 'method' && isNamed ? [{ name: key.name, start, end }] : []
}

/** A constructor's `this.name = { … }`: methods that are handed out as a group. */
function groupOf(statement: Statement): Part[] {
  if (statement.type !== 'ExpressionStatement') return []
  if (statement.expression.type !== 'AssignmentExpression') return []
  const { left, right } = statement.expression
  if (right.type !== 'ObjectExpression' || left.type !== 'MemberExpression') return []
  if (left.object.type !== 'ThisExpression' || left.property.type !== 'Identifier') return []
  return [{ name: left.property.name, start: statement.start, end: statement.end }]
}
