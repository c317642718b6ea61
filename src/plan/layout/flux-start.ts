import type {FluxSettings} from '../../declaration/layout-settings.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {fluxPath, RETRY_INTERVAL} from './flux-kustomizations.js'
import type {TreeOptions} from './layout.js'
import {treeName} from './tree-name.js'

/** The folder of all other Kustomizations, which Flux scans. */
export const FLUX_FOLDER = 'flux/kustomizations'

const COMMENT = `# Starts Flux on this tree. It is not part of the tree: apply it once, with the URL and the branch of the repository.
# Where the GitRepository exists, such as after flux bootstrap, apply only the Kustomization.
`

/** The text of a file with the source and the Kustomization that reconciles all others. */
export function fluxStart(
  {path}: Pick<TreeOptions, 'path'>,
  {name = treeName(path), source, namespace, interval}: FluxSettings,
  write: (value: JsonObject) => string,
): string {
  const repository = {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: {name: source, namespace},
    spec: {interval: '1m', ref: {branch: 'main'}, url: 'https://git.example.org/team/cluster'},
  }
  const root = {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: {name, namespace},
    spec: {
      interval,
      path: fluxPath(path, FLUX_FOLDER),
      prune: true,
      retryInterval: RETRY_INTERVAL,
      sourceRef: {kind: 'GitRepository', name: source},
      timeout: '5m',
    },
  }
  return `${COMMENT}${write(repository)}---\n${write(root)}`
}
