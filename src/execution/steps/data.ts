import type { Json } from '../../base/canonical.ts'
import { failed, ok } from '../../base/diagnostic.ts'
import type { Operand } from '../../language/plan/plan.ts'
import { valueOf } from '../read/operand.ts'
import { digitsAsText, isList, isRecord } from '../../base/json.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import type { Given } from '../table.ts'
import type { LiveRow } from '../row.ts'

/** Literal rows: an object is one row, a list one row an item, anything else one row with `content`. */
export function runData(value: Operand, step: NodeRun, cursor?: LiveRow): NodeResult {
  const found = valueOf(value, { run: step.run, ...(cursor && { cursor }) })
  return found.ok ? ok(tableOf(digitsAsText(found.value))) : failed(found.problems)
}

function tableOf(value: Json): Given {
  const rows = (isList(value) ? value : [value]).map((item) => ({
    values: isRecord(item) ? item : { content: item },
  }))
  return { columns: columnNames(rows), rows, missing: null }
}

/** The columns of computed rows, each once, in the order of their first appearance. */
export function columnNames(rows: readonly LiveRow[]): readonly string[] {
  return [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
}
