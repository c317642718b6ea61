import {createHash} from 'node:crypto'
import {readdirSync, readFileSync} from 'node:fs'
import {arch, platform} from 'node:os'
import {join} from 'node:path'

/** A Kubernetes that suites may ask for; 1.20 still serves the v1beta1 of what was written in 2019. */
export type KubernetesVersion = '1.20' | 'current'

/** What a cluster is to be. Only the current one runs Pods: controllers, a scheduler, and kwok for a kubelet. */
export type ClusterOptions =
  | {readonly version: '1.20'; readonly pods?: false}
  | {
      readonly version: 'current'
      readonly pods?: boolean
      /** Stages of kwok (https://kwok.sigs.k8s.io/docs/user/stages-configuration) besides its own, as YAML. */
      readonly stages?: string
    }

/** A program of a cluster, and how it is come by. */
export interface Server {
  readonly name: string
  /** As its `--version` says it, without a `v`. */
  readonly version: string
  /** Whether it has no `--version`: then it is what the cache has under its name. */
  readonly isSilent?: boolean
  readonly recipe: GoRecipe | ScriptRecipe
  /** Whether the folder that KUBEBUILDER_ASSETS names may have one. */
  readonly inAssets?: boolean
}

/** A main package, built as the go.mod and go.sum of a folder beside this file pin it. */
export interface GoRecipe {
  readonly module: string
  /** `.` for that of the folder itself. */
  readonly main: string
  readonly variables?: Readonly<Record<string, string>>
  /** Folders of the module that has `main`; their YAML files become one, `stages.yaml`, beside the program. */
  readonly stages?: readonly string[]
  /** The same for CRDs, as `crds.yaml`. */
  readonly crds?: readonly string[]
}

/** A script beside this file. Its arguments: the program to make, and an empty folder to work in. */
interface ScriptRecipe {
  readonly script: string
}

const etcd: Server = {
  name: 'etcd',
  version: '3.6.8',
  recipe: {module: 'etcd', main: 'go.etcd.io/etcd/server/v3'},
  inAssets: true,
}
const apiServer: Server = {...kubernetes('kube-apiserver'), inAssets: true}
const apiServer120: Server = {
  name: 'kube-apiserver',
  version: '1.20.2',
  recipe: {script: 'kube-apiserver-1.20.sh'},
  inAssets: true,
}
const kwok: Server = {
  name: 'kwok',
  version: '0.8.0',
  recipe: {
    module: 'kwok',
    main: 'sigs.k8s.io/kwok/cmd/kwok',
    stages: ['kustomize/stage/pod/fast', 'kustomize/stage/node/fast', 'kustomize/stage/node/heartbeat'],
  },
}
const podServers = [kubernetes('kube-controller-manager'), kubernetes('kube-scheduler'), kwok]

/** The `trace` of the old command line, with which `plugins/trace` is compared. */
export const originalTrace: Server = {
  name: 'crossplane-trace',
  version: '0.7.0',
  isSilent: true,
  recipe: {
    module: '../../plugins/trace/test/original',
    main: 'github.com/crossplane/crossplane-cli/cmd/trace',
  },
}

/** The programs with which the engines of `plugins/template-stacks` are compared, of the same modules. */
export const templateOracles: readonly Server[] = [
  templateOracle('helm', '3.22.0', 'helm.sh/helm/v3/cmd/helm'),
  templateOracle('kustomize', '5.8.1', 'sigs.k8s.io/kustomize/kustomize/v5'),
]

/** The reconcilers of crossplane-runtime, with which `plugins/services` serves claims of one cluster. */
export const crossplaneRuntime: Server = {
  name: 'crossplane-runtime',
  version: '0.9.0',
  isSilent: true,
  recipe: {module: '../../plugins/services/test/runtime', main: '.'},
}

/** The controllers of Flux that a tree needs. They have no `--version`. */
export const fluxServers: readonly Server[] = [
  fluxController('source-controller', '1.9.5'),
  fluxController('kustomize-controller', '1.9.5'),
]

/** Argo CD, one program for all of its servers, and the kustomize that it runs. */
export const argocdServers: readonly Server[] = [
  {
    name: 'argocd',
    version: '3.2.1',
    isSilent: true,
    recipe: {module: 'argocd', main: 'github.com/argoproj/argo-cd/v3/cmd', crds: ['manifests/crds']},
  },
  {
    name: 'kustomize',
    version: '5.7.1',
    isSilent: true,
    recipe: {module: 'kustomize', main: 'sigs.k8s.io/kustomize/kustomize/v5'},
  },
]

const MAIN = 'github.com/crossplane/crossplane/v2/cmd/crossplane'

const cores: readonly Server[] = [
  {
    name: 'crossplane',
    version: '2.3.4',
    recipe: {
      module: 'crossplane',
      main: MAIN,
      // Without a version, every package with a constraint on it fails.
      variables: {'github.com/crossplane/crossplane-runtime/v2/pkg/version.version': 'v2.3.4'},
      crds: ['cluster/crds'],
    },
  },
  {
    name: 'crossplane',
    version: '2.1.0',
    recipe: {
      module: 'crossplane-2.1',
      main: MAIN,
      variables: {'github.com/crossplane/crossplane/v2/internal/version.version': 'v2.1.0'},
      crds: ['cluster/crds'],
    },
  },
]

/** Crossplane of today, which installs packages from a registry: the first version, unless CROSSPLANE_CORE names the other. */
export const crossplane: Server = coreOf(process.env.CROSSPLANE_CORE ?? '2.3.4')

function coreOf(version: string): Server {
  const core = cores.find(one => one.version === version)
  if (core !== undefined) return core
  throw new Error(`no Crossplane ${version}; there are ${cores.map(one => one.version).join(' ')}`)
}

/** The plugin manager that installs what `npm run release` makes. It has no `--version`. */
export const krew: Server = {
  name: 'krew',
  version: '0.5.0',
  isSilent: true,
  recipe: {module: 'krew', main: 'sigs.k8s.io/krew/cmd/krew'},
}

/** What signs packages as everyone else does, and verifies them. It has no `--version`. */
export const cosign: Server = {
  name: 'cosign',
  version: '3.1.3',
  isSilent: true,
  recipe: {module: 'cosign', main: 'github.com/sigstore/cosign/v3/cmd/cosign'},
}

/** What others read bundles with. */
export const oras: Server = {
  name: 'oras',
  version: '1.3.6',
  isSilent: true,
  recipe: {module: 'oras', main: 'oras.land/oras/cmd/oras'},
}
export const crane: Server = {
  name: 'crane',
  version: '0.22.1',
  isSilent: true,
  recipe: {module: 'crane', main: 'github.com/google/go-containerregistry/cmd/crane'},
}

/** A registry with the referrers API, of the same module. */
export const referrersRegistry: Server = {
  name: 'referrers-registry',
  version: '0.22.1',
  isSilent: true,
  recipe: {module: 'crane', main: '.'},
}

/** What `crossplane resource validate` of Crossplane's command line says of objects, as a program. */
export const validator: Server = {
  name: 'crossplane-validator',
  version: '2.5.0',
  isSilent: true,
  recipe: {module: 'validator', main: '.'},
}

/** What people check manifests with, by the schemas that `package schemas` writes. */
export const kubeconform: Server = {
  name: 'kubeconform',
  version: '0.7.0',
  isSilent: true,
  recipe: {module: 'kubeconform', main: 'github.com/yannh/kubeconform/cmd/kubeconform'},
}

/** The programs that make up a cluster. */
export function serversOf({version, pods}: ClusterOptions): readonly Server[] {
  if (version === '1.20') return [etcd, apiServer120]
  return [etcd, apiServer, ...(pods === true ? podServers : [])]
}

/** The name of a build in the cache: another recipe, another pinned module or another kind of machine is another build. */
export function cacheEntry(server: Server): string {
  const hash = createHash('sha256').update(JSON.stringify([server, platform(), arch()]))
  for (const file of recipeFiles(server.recipe)) hash.update(readFileSync(join(import.meta.dirname, file)))
  return `${server.name}-${server.version}-${hash.digest('hex').slice(0, 12)}`
}

function recipeFiles(recipe: GoRecipe | ScriptRecipe): readonly string[] {
  if ('script' in recipe) return [recipe.script]
  const {module, main} = recipe
  const own = main === '.' ? readdirSync(join(import.meta.dirname, module)).sort() : []
  return [...new Set(['go.mod', 'go.sum', ...own])].map(name => `${module}/${name}`)
}

function fluxController(name: string, version: string): Server {
  const main = `github.com/fluxcd/${name}`
  return {name, version, isSilent: true, recipe: {module: name, main, crds: ['config/crd/bases']}}
}

function templateOracle(name: string, version: string, main: string): Server {
  const module = '../../plugins/template-stacks/test/oracles'
  return {name, version, isSilent: true, recipe: {module, main}}
}

function kubernetes(name: string): Server {
  const variable = 'k8s.io/component-base/version'
  return {
    name,
    version: '1.36.3',
    recipe: {
      module: 'kubernetes',
      main: `k8s.io/kubernetes/cmd/${name}`,
      variables: {
        [`${variable}.gitVersion`]: 'v1.36.3',
        [`${variable}.gitMajor`]: '1',
        [`${variable}.gitMinor`]: '36',
      },
    },
  }
}
