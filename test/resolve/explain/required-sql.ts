import type {SolverInput} from '../../../src/resolve/solver-input.js'
import {input, version} from '../world.js'

/** The requested package, with these requirements. */
export const app = (...requires: string[]) =>
  version('example/app:v1.0.0', {owns: ['apps.app.org'], requires})
/** A version of the package that owns what is required. */
export const sql = (tag: string, served: string, requires: string[] = []) =>
  version(`example/sql:${tag}`, {owns: [`databases.sql.org/${served}`], requires})
/** A package that cannot be read. */
export const unreadable = {
  identity: 'example/dark',
  tag: 'v2.0.0',
  reason: 'reading the package found 2 faults',
}
/** An exclusion of `example/sql:v1.0.0`. */
export const excluded = (kind: 'yanked' | 'private' | 'vanished' | 'lying', reason: string) => ({
  excluded: [{identity: 'example/sql', tag: 'v1.0.0', kind, reason}],
})
/** One version with two digests. */
export const twins = ['sha256:aa', 'sha256:bb'].map(digest =>
  version('example/sql:v1.0.0', {owns: ['databases.sql.org/v1'], digest}),
)
/** Another owner of what is required. */
export const OTHER_SQL = version('other/sql:v9.0.0', {owns: ['databases.sql.org/v1']})
/** A request for a package with one requirement. */
export const requirement = (
  crd: string,
  summaries: SolverInput['summaries'] = [],
  more: Partial<SolverInput> = {},
) => input(['example/app'], [app(crd), ...summaries], more)
