import {execFileSync, spawnSync} from 'node:child_process'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {dump, loadAll} from 'js-yaml'
import {outputFolder} from '../../src/adapters/output-folder.js'
import {writeFolder} from '../../src/commit/write-folder.js'
import {filesOf} from '../../src/plan/folder/file-tree.js'
import type {KubernetesObject, SetObject} from '../../src/render/install-set.js'
import {gcp, objectOf, setOf, twoInstalls} from '../plan/folder/two-installs.js'
import {describeReal} from '../real-parts.js'

/** Names that kustomize could take for a repository, for its own files, or for one another. */
const tricky: readonly SetObject[] = [
  {phase: 'namespaces', object: objectOf('v1', 'Namespace', 'kustomization')},
  ...['github.com', 'team.git', 'kustomization.yaml', 'https.'].map((id): SetObject => {
    const [namespace = '', name = ''] = id.split('.')
    return {
      phase: 'records',
      install: {namespace, name},
      object: objectOf('example.org/v1', 'Record', name === '' ? 'none' : name, namespace),
    }
  }),
  ...['a:b', 'a-b'].map((name): SetObject => {
    return {
      phase: 'identity',
      install: gcp,
      object: objectOf('rbac.authorization.k8s.io/v1', 'ClusterRole', name),
    }
  }),
]

const noKubectl =
  spawnSync('kubectl', ['version', '--client']).status === 0 ? undefined : 'kubectl is not here'

describeReal('kubectl kustomize', noKubectl, () => {
  const set = setOf([...twoInstalls('v0.11.0').objects, ...tricky])
  let root: string

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'kustomize-'))
    await writeFolder(filesOf(set, dump), outputFolder(root))
  })

  afterAll(() => rm(root, {recursive: true}))

  it('builds the folder, with every object as in the set', () => {
    expect(built(root)).toEqual(sorted(set.objects.map(({object}) => object)))
  })

  it('builds the folder of a single install', () => {
    const own = twoInstalls('v0.11.0').objects.filter(({install}) => install === gcp)
    const roles = tricky.filter(({install}) => install === gcp)
    expect(built(join(root, 'installs/crossplane-system.gcp'))).toEqual(
      sorted([...own, ...roles].map(({object}) => object)),
    )
  })

  it('builds the folder of an empty set', async () => {
    const empty = join(root, 'empty')
    await writeFolder(filesOf(setOf([]), dump), outputFolder(empty))
    expect(built(empty)).toEqual([])
  })
})

function built(folder: string): readonly unknown[] {
  const text = execFileSync('kubectl', ['kustomize', folder], {encoding: 'utf8'})
  return text === '' ? [] : sorted(loadAll(text) as KubernetesObject[])
}

/** Kustomize has an order of its own. */
function sorted(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const keyOf = ({kind, metadata}: KubernetesObject) => `${kind}/${metadata.namespace ?? ''}/${metadata.name}`
  return [...objects].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}
