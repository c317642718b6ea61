import type {SchemaRules} from '../../../crd/schema-rules.js'
import type {PackageFile} from '../../../unpack/package-file.js'

/** Rules of a package's own schemas, and kinds of Crossplane that have rules. */
const MARKS = ['x-kubernetes-validations', 'apiextensions.crossplane.io/', 'ops.crossplane.io/']

/** Returns what compiles rules in CEL if the files of a package need it, which is loaded then. */
export async function neededRules(
  files: readonly PackageFile[],
  load: (() => Promise<SchemaRules>) | undefined,
): Promise<{readonly rules?: SchemaRules}> {
  if (load === undefined || !files.some(hasMark)) return {}
  return {rules: await load()}
}

function hasMark({bytes}: PackageFile): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return MARKS.some(mark => text.includes(mark))
}
