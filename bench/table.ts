import { type Finding, isMet } from './finding.ts'
import type { Spread } from './statistics.ts'

const HEAD = ['', 'measured', 'compared with', 'its value', 'ratio', 'range', 'target', '']

/** The findings as one table of plain text, medians with the range of their rounds. */
export function renderTable(findings: readonly Finding[]): string {
  const rows = [HEAD, ...findings.map(cellsOf)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  lines.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n')
}

function cellsOf(finding: Finding): string[] {
  const { what, value, unit, comparedWith, reference, ratio } = finding
  return [
    what,
    quantity(value.median, unit),
    comparedWith,
    reference === null ? '' : quantity(reference.median, unit),
    ratio === null ? '' : ratio.median.toFixed(2),
    rangeOf(ratio ?? value),
    targetOf(finding),
    { true: 'met', false: 'MISSED', null: '' }[String(isMet(finding))] ?? '',
  ]
}

function rangeOf({ min, max }: Spread): string {
  return min === max ? '' : `${short(min)} to ${short(max)}`
}

function targetOf({ target, unit }: Finding): string {
  if (target === null) return ''
  const sign = target.limit === 'at least' ? '≥' : '≤'
  return `${sign} ${target.of === 'ratio' ? target.amount.toFixed(2) : quantity(target.amount, unit)}`
}

function quantity(amount: number, unit: Finding['unit']): string {
  return unit === 'score' ? short(amount) : `${short(amount)} ${unit}`
}

function short(amount: number): string {
  if (Number.isInteger(amount)) return String(amount)
  return amount.toFixed(amount >= 100 ? 0 : amount >= 10 ? 1 : 2)
}
