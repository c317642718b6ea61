import {expect, it} from '@jest/globals'
import {BUILTIN_GROUPS, BUILTIN_KINDS, type BuiltinKind} from '../../src/kubernetes/builtin-kinds.js'
import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {accepted, type Kube} from '../cluster/kube.js'

for (const version of ['1.20', 'current'] as const) {
  describeCluster(version, `the table of built-in kinds and Kubernetes ${version}`, cluster => {
    it('agree on groups, kinds and scopes', async () => {
      const served = await discover(cluster().kube)
      expect(served.length).toBeGreaterThan(50)
      expect(served.filter(each => !BUILTIN_KINDS.some(known => isSame(known, each)))).toEqual([])
      expect(served.map(({group}) => group).filter(group => !BUILTIN_GROUPS.includes(group))).toEqual([])
    })
  })
}

/** Every resource that the server serves itself, in any version; subresources have a `/` in their names. */
async function discover(kube: Kube): Promise<readonly BuiltinKind[]> {
  const read = async (path: string, group: string) =>
    asObjects(accepted(await kube.send('GET', path)).resources)
      .filter(({name}) => !asText(name).includes('/'))
      .map(resource => kindOf(group, resource))
  const groups = asObjects(accepted(await kube.send('GET', '/apis')).groups)
  const paths = groups.flatMap(group =>
    asObjects(group.versions).map(version => ({
      path: `/apis/${asText(asObject(version).groupVersion)}`,
      group: asText(group.name),
    })),
  )
  const found: BuiltinKind[] = []
  for (const {path, group} of [{path: '/api/v1', group: ''}, ...paths])
    found.push(...(await read(path, group)))
  return found
}

function kindOf(group: string, {name, kind, namespaced}: JsonObject): BuiltinKind {
  const scope = namespaced === true ? 'Namespaced' : 'Cluster'
  return {group, plural: asText(name), kind: asText(kind), scope}
}

function isSame(a: BuiltinKind, b: BuiltinKind): boolean {
  return a.group === b.group && a.plural === b.plural && a.kind === b.kind && a.scope === b.scope
}
