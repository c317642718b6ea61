import {asObject, asObjects, type JsonObject} from '../../../src/yaml/json-value.js'
import {pick} from '../../soak/campaign.js'
import {
  annotated,
  type Broken,
  type Defect,
  type GoodMove,
  imageConfig,
  LOCK,
  merged,
  provider,
  providerPath,
  requires,
  revisionOf,
  revisionPath,
  withCondition,
  withPackages,
} from './move-defect.js'

const API = 'pkg.crossplane.io/v1'
const PKG = `/apis/${API}`
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'

/** The arguments with another second one. */
const to = (path: string) => (args: readonly string[], at: Broken['at']) => [
  args[0] ?? '',
  args[1] ?? '',
  at(path),
  ...args.slice(3),
]

const ELSEWHERE: readonly GoodMove['name'][] = ['same', 'build', 'family']
const ONE: readonly GoodMove['name'][] = ['same', 'build']

/** All that can be wrong, by name. */
export const DEFECTS: Readonly<Record<string, Defect>> = {
  'a repository twice in the Lock': {
    says: /the Lock of Crossplane has \S+ several times.* \[core-lock\]/,
    breaks: async ({edits, random}) => {
      const twice = (all: readonly JsonObject[]) => [
        ...all,
        {...pick(random, all), name: 'again-0123456789ab'},
      ]
      await edits.change(LOCK, withPackages(twice))
    },
  },
  'a Lock that is not resolved': {
    says: /cannot resolve the dependencies of packages: missing.* \[core-lock\]/,
    breaks: ({edits}) => edits.change(LOCK, withCondition('Resolved', 'False', 'missing dependencies')),
  },
  'no entry in the Lock': {
    says: /the Lock of Crossplane does not have \S+.* \[core-lock\]/,
    breaks: async broken => {
      const revision = await revisionOf(broken)
      await broken.edits.change(
        LOCK,
        withPackages(all => all.filter(({name}) => name !== revision)),
      )
    },
  },
  'no Lock': {
    says: /the Lock of Crossplane does not have \S+.* \[core-lock\]/,
    breaks: ({edits}) => edits.remove(LOCK),
  },
  'a paused request': {
    says: /is paused, .* \[xpkg-paused\]/,
    breaks: ({edits, one}) =>
      edits.change(providerPath(one.from), annotated({'crossplane.io/paused': 'true'})),
  },
  'a paused revision': {
    says: /providerrevision\/\S+ is paused, .* \[xpkg-paused\]/,
    breaks: async broken =>
      await broken.edits.change(
        revisionPath(await revisionOf(broken)),
        annotated({'crossplane.io/paused': 'true'}),
      ),
  },
  'a request that is being deleted': {
    says: /is being deleted.* \[xpkg-terminating\]/,
    breaks: ({edits, one}) => edits.terminate(providerPath(one.from)),
  },
  'a revision that is being deleted': {
    says: /providerrevision\/\S+ is being deleted.* \[xpkg-terminating\]/,
    breaks: async broken => await broken.edits.terminate(revisionPath(await revisionOf(broken))),
  },
  'an unhealthy package': {
    says: /is not healthy: .*its Pod is gone.* \[xpkg-not-healthy\]/,
    breaks: ({edits, one}) =>
      edits.change(providerPath(one.from), withCondition('Healthy', 'False', 'its Pod is gone')),
  },
  'a package that is not installed': {
    says: /is not healthy: .* \[xpkg-not-healthy\]/,
    breaks: ({edits, one}) =>
      edits.change(providerPath(one.from), withCondition('Installed', 'False', 'no such tag')),
  },
  'an unhealthy revision': {
    says: /is not healthy: .* \[xpkg-not-healthy\]/,
    breaks: async broken =>
      await broken.edits.change(
        revisionPath(await revisionOf(broken)),
        withCondition('RevisionHealthy', 'False', 'it lost its CRDs'),
      ),
  },
  'a change that Crossplane has not read': {
    says: /is not healthy: .* \[xpkg-not-healthy\]/,
    breaks: ({edits, one}) =>
      edits.change(providerPath(one.from), merged({status: {currentIdentifier: 'before'}})),
  },
  'the policy Manual without an active revision': {
    says: /has 0 active revisions.* \[xpkg-not-healthy\]/,
    breaks: async broken => {
      const policy = {spec: {revisionActivationPolicy: 'Manual'}}
      await broken.edits.change(providerPath(broken.one.from), merged(policy))
      await broken.edits.change(
        revisionPath(await revisionOf(broken)),
        merged({spec: {desiredState: 'Inactive'}}),
      )
    },
  },
  'two active revisions': {
    says: /has 2 active revisions.* \[xpkg-not-healthy\]/,
    breaks: async broken => {
      const {metadata, ...first} = await broken.edits.read(revisionPath(await revisionOf(broken)))
      const {labels, ownerReferences = []} = asObject(metadata)
      const second = {name: `${broken.one.from}-0123456789ab`, labels: asObject(labels), ownerReferences}
      await broken.edits.add(`${PKG}/providerrevisions`, {...first, metadata: second})
    },
  },
  'a request by digest': {
    says: /is requested by its digest, .* \[xpkg-move-unsupported\]/,
    breaks: async ({edits, one}) => {
      const reference = `${one.repository}@sha256:${'ab'.repeat(32)}`
      const seen = {spec: {package: reference}, status: {currentIdentifier: reference}}
      await edits.change(providerPath(one.from), merged(seen))
    },
  },
  'a request that skips the resolver': {
    says: /without the resolver of Crossplane.* \[xpkg-move-unsupported\]/,
    breaks: ({edits, one}) =>
      edits.change(providerPath(one.from), merged({spec: {skipDependencyResolution: true}})),
  },
  'Crossplane of before': {
    says: /Crossplane v2\.2\.1 rejects a second owner of CRDs.* \[xpkg-move-unsupported\]/,
    args: args => [...args, '--core-version', 'v2.2.1'],
  },
  'Crossplane of an unknown version': {
    says: /the version of Crossplane is not known.* \[xpkg-move-unsupported\]/,
    breaks: ({edits}) => edits.remove(`${DEPLOYMENTS}/crossplane`),
  },
  'a Configuration': {
    moves: ['name'],
    says: /r-a-app is a Configuration, .* \[xpkg-move-unsupported\]/,
    args: (_args, at) => ['move', 'r-a-app', at('b/app')],
  },
  'a place with a Configuration': {
    moves: ['same'],
    says: /is a Configuration, not a Provider.* \[xpkg-move-unsupported\]/,
    args: to('e/sql'),
  },
  'a package that requires the former one': {
    moves: ELSEWHERE,
    says: /a\/app requires \S+: Crossplane would install it again.* \[xpkg-required\]/,
    breaks: ({edits, one}) => requires(edits, ['r-a-app-'], one.repository),
  },
  'several packages that require the former one': {
    moves: ELSEWHERE,
    says: /a\/app, \S+a\/web require \S+: Crossplane would install it again.* \[xpkg-required\]/,
    breaks: ({edits, one}) => requires(edits, ['r-a-app-', 'r-a-web-'], one.repository),
  },
  'a family without its members': {
    moves: ['family'],
    says: /require \S+old\/family: .* \[xpkg-required\]/,
    args: args => args.filter(arg => arg !== '--family'),
  },
  'a member whose request is gone': {
    moves: ['family'],
    says: /old\/three requires \S+old\/family: .* \[xpkg-required\]/,
    breaks: ({edits}) => edits.remove(providerPath('r-old-three')),
  },
  'a place without a member': {
    moves: ['family'],
    says: /half\/three .* was requested; no version satisfies it/,
    status: 3,
    args: to('half/family'),
  },
  'a requirement that is not installed': {
    moves: ONE,
    says: /requires \S+absent\/dependency, which is not installed.* \[xpkg-move-requires\]/,
    args: to('d/sql'),
  },
  'dependents with constraints that the new version does not meet': {
    moves: ['name'],
    says: />=v1\.0\.0, <v2\.0\.0 is required by an installed package/,
    status: 3,
    args: to('a/net:v2.0.0'),
  },
  'a name that is taken': {
    says: /provider\/\S+ exists.* \[xpkg-move-exists\]/,
    breaks: ({edits, one, at}) => edits.add(`${PKG}/providers`, provider(one.to, at('other/place:v1.0.0'))),
  },
  'another request of the new repository': {
    says: /is installed, as provider\/second.* \[xpkg-move-exists\]/,
    breaks: ({edits, one}) => edits.add(`${PKG}/providers`, provider('second', `${one.place}:v1.0.0`)),
  },
  'another request of the former repository': {
    // Of a member, it would move too.
    says: /is installed, as provider\/second.* \[xpkg-move-exists\]|provider\/second is not healthy|\[xpkg-shared-object\]/,
    status: 3,
    breaks: ({edits, one}) => edits.add(`${PKG}/providers`, provider('second', `${one.repository}:v1.0.0`)),
  },
  'a name that no request can have': {
    moves: ['same', 'name'],
    says: /no object can have the name/,
    status: 1,
    args: args => [...args, '--name', 'my_sql'],
  },
  'another name for what others require': {
    moves: ['name', 'family'],
    says: /requires \S+: (?:under a name other than .* \[xpkg-other-name\]|at an upgrade, Crossplane would request it once more)/,
    args: args => [...args, '--name', 'everyday'],
  },
  'a CRD of another owner': {
    says: /CustomResourceDefinition \S+ of \S+ is controlled by another owner.* \[xpkg-move-owner\]/,
    breaks: ({edits, one}) =>
      edits.change(`${CRDS}/${one.crd}`, merged({metadata: {ownerReferences: [FOREIGN]}})),
  },
  'a CRD that another owner controls beside the package': {
    says: /CustomResourceDefinition \S+ of \S+ is controlled by another owner.* \[xpkg-move-owner\]/,
    breaks: async ({edits, one}) => {
      await edits.change(`${CRDS}/${one.crd}`, crd => {
        const own = asObjects(asObject(crd.metadata).ownerReferences)
        const shared = [...own.map(owner => ({...owner, controller: false})), FOREIGN]
        return merged({metadata: {ownerReferences: shared}})(crd)
      })
    },
  },
  'a place without a CRD of which custom resources exist': {
    moves: ONE,
    says: /the new package does not have bases\.core\.example\.org, of which .* \[instances-exist\]/,
    args: to('c/sql:v3.0.0'),
  },
  'a place that does not serve the stored version': {
    moves: ONE,
    says: /bases\.core\.example\.org/,
    args: to('c/sql:v2.0.0'),
  },
  'a stored version that only the cluster has': {
    moves: ['build'],
    says: /bases\.core\.example\.org.*v1alpha1/,
    breaks: ({edits, one}) =>
      edits.change(`${CRDS}/${one.crd}`, crd => {
        const versions = asObjects(asObject(crd.spec).versions)
        const before = versions.map(version => ({...version, name: 'v1alpha1', storage: false}))
        const seen = {
          spec: {versions: [...versions, ...before]},
          status: {storedVersions: ['v1alpha1', 'v1']},
        }
        return merged(seen)(crd)
      }),
  },
  'custom resources that the new CRD does not allow': {
    moves: ONE,
    says: /bases\.core\.example\.org/,
    args: to('c/sql:v4.0.0'),
  },
  'a Usage that protects the former request': {
    says: /protects provider\/\S+, which would be deleted.* \[usage-exists\]/,
    breaks: ({edits, one}) => {
      const of = {apiVersion: API, kind: 'Provider', resourceRef: {name: one.from}}
      const spec = {of, reason: 'it must stay'}
      const [apiVersion, kind] = ['protection.crossplane.io/v1beta1', 'ClusterUsage']
      return edits.add(`/apis/${apiVersion}/clusterusages`, {
        apiVersion,
        kind,
        metadata: {name: 'stays'},
        spec,
      })
    },
  },
  'Flux in another cluster': {
    says: /of Kustomization apps, which is not in this cluster.* \[xpkg-move-synced\]/,
    breaks: ({edits, one}) =>
      edits.change(
        providerPath(one.from),
        merged({metadata: {labels: {'kustomize.toolkit.fluxcd.io/name': 'apps'}}}),
      ),
  },
  'Argo CD in another cluster': {
    says: /of Application apps, which is not in this cluster.* \[xpkg-move-synced\]/,
    breaks: ({edits, one}) =>
      edits.change(
        providerPath(one.from),
        annotated({'argocd.argoproj.io/tracking-id': `apps:pkg.crossplane.io/Provider:/${one.from}`}),
      ),
  },
  'another move that is not finished': {
    says: /the move of provider\/before to provider\/after is not finished.* \[xpkg-move-unfinished\]/,
    breaks: ({edits, at}) => {
      const reference = at('after/place:v1.0.0')
      const record = {to: 'after', reference, from: 'before', former: 'before-0123456789ab'}
      const more = {spec: {package: at('before/place:v1.0.0')}, revision: 'after-0123456789ab', order: 0}
      const text = JSON.stringify([{...record, ...more}])
      return edits.add(
        `${PKG}/providers`,
        provider('after', reference, {annotations: {'kubectl-crossplane/move': text}}),
        '?fieldManager=crossplane-packages',
      )
    },
  },
  'an ImageConfig that leads to nothing': {
    moves: ['same', 'build', 'family'],
    says: /no repository \S+.*read from the mirror \S+nowhere, as ImageConfig rewrites/,
    status: 3,
    breaks: ({edits, one, at}) =>
      edits.add('/apis/pkg.crossplane.io/v1beta1/imageconfigs', imageConfig(one.place, at('nowhere'))),
  },
  'an ImageConfig that leads to another kind of package': {
    moves: ['same'],
    says: /is a Configuration, not a Provider.* \[xpkg-move-unsupported\]/,
    breaks: ({edits, one, at}) =>
      edits.add('/apis/pkg.crossplane.io/v1beta1/imageconfigs', imageConfig(one.place, at('e/sql'))),
  },
}

/** Something that is no package. */
const FOREIGN = {
  ...{apiVersion: 'apps/v1', kind: 'Deployment', name: 'other', uid: '00000000-0000-4000-8000-000000000000'},
  controller: true,
}
