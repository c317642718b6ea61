import type {Diagnostic} from '../../diagnostic.js'
import {diagnosticAt} from '../../unpack/diagnostics.js'
import {baseName} from '../../unpack/package-file.js'
import {behaviorOfStackYaml} from '../../unpack/templates/stack-yaml.js'
import {compactJson} from '../../yaml/exact-json.js'
import type {Candidate} from './candidate.js'

/** Reports a stack.yaml, which Crossplane read in January 2020 alone, with the behavior.yaml that means the same. */
export function checkStackYaml({examination, documentsOf, crds}: Candidate): Diagnostic[] {
  return examination.files.all
    .filter(file => baseName(file) === 'stack.yaml')
    .flatMap(file => documentsOf(file).slice(0, 1))
    .flatMap(document => {
      const behavior = behaviorOfStackYaml(document.yaml.value, crds)
      const instead = behavior === undefined ? '' : `; its meaning as behavior.yaml: ${compactJson(behavior)}`
      return [diagnosticAt(document, 'stack-yaml', [], `no release of Crossplane reads stack.yaml${instead}`)]
    })
}
