import type {Diagnostic} from 'kubectl-crossplane/plugin'
import type {Engine} from '../engines/engine.js'
import {identitiesOf, NO_UID} from '../gotemplate/template-identities.js'
import type {Templates} from '../render-resource.js'

/** Any custom resource would do: an identity must not depend on more than this. */
const METADATA = {name: 'example', namespace: 'default', uid: NO_UID}

/** Reports named templates whose object cannot be identified before anything is read. */
export async function checkIdentities({sets}: Templates, engine: Engine): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = []
  for (const set of sets.sets) diagnostics.push(...(await identitiesOf(set, sets, METADATA, engine)).errors)
  return diagnostics
}
