import {asObject, asObjects, asText, asTexts, type JsonObject} from 'kubectl-crossplane/plugin'
import Run from '../../src/commands/manager/run.js'
import {managerRole} from '../../src/manifests/manager-role.js'
import {named} from '../run/manager-suite.js'
import {differs, recordedState, same} from './facts.js'
import {controllerOf, type Lab, requestOf} from './lab.js'
import type {RecordedCase} from './request-cases.js'

const API = 'packages.crossplane.io/v1alpha1'
/** What is too long for a recording, and what only the original sets. */
const LEFT_OUT = ['readme', 'overview', 'icons', 'base64Data']

/** The original writes whole typed objects. */
const ONLY_TIMESTAMP =
  /^\["\.controller\.deployment\.spec\.template\.metadata\.creationTimestamp: null, none"\]$/

/** Wordpress requires kinds of four groups, which nothing here provides. */
const REQUIRED = [
  ['KubernetesCluster', 'compute.crossplane.io'],
  ['MySQLInstance', 'database.crossplane.io'],
  ['KubernetesApplication', 'workload.crossplane.io'],
  ['KubernetesApplicationResource', 'workload.crossplane.io'],
] as const

function requiredCrd([kind, group]: (typeof REQUIRED)[number], lab: Lab): JsonObject {
  const plural = `${kind.toLowerCase()}s`
  return {
    ...lab.ownCrd(),
    metadata: {name: `${plural}.${group}`},
    spec: {group, names: {kind, plural}, scope: 'Namespaced', version: 'v1alpha1'},
  }
}

/** The fields of an object by their paths, without what recordings shorten. */
function fieldsOf(value: unknown, path = ''): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {[path]: JSON.stringify(value)}
  const entries = Object.entries(value).filter(([key]) => !LEFT_OUT.includes(key))
  return Object.assign({}, ...entries.map(([key, each]) => fieldsOf(each, `${path}.${key}`))) as Record<
    string,
    string
  >
}

/** The paths whose values differ, as `PATH: ORIGINAL, HERE`. */
function differencesOf(original: JsonObject, here: JsonObject): readonly string[] {
  const [before, after] = [fieldsOf(original), fieldsOf(here)]
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return paths.flatMap(path =>
    before[path] === after[path] ? [] : [`${path}: ${before[path] ?? 'none'}, ${after[path] ?? 'none'}`],
  )
}

function rightsIn(rules: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(
    rules.flatMap(({resources, verbs}) =>
      asTexts(resources).flatMap(resource => asTexts(verbs).map(verb => `${verb} ${resource}`)),
    ),
  )
}

/** Templates, and what is special about the process. */
export const OTHER_CASES: readonly RecordedCase[] = [
  {
    files: [
      '02-21-template-package',
      '16d-template-request-deleted',
      '28-no-templates-flag',
      '36-dependencies',
    ],
    name: 'templates',
    facts: async (lab, recorded) => {
      const doc = recorded('02-21-template-package')
      const [plain, waiting] = [recorded('28-no-templates-flag'), recorded('36-dependencies')]
      const reference = lab.packageOf('app-wordpress:v0.4.0')
      const wp = requestOf('PackageInstall', lab.teamA, 'wp', {
        package: reference,
        ...{source: 'registry.example.org', imagePullPolicy: 'Always'},
        imagePullSecrets: [{name: 'pull'}],
        serviceAccount: {annotations: {'a.b/c': 'd'}},
      })
      await lab.create(wp)
      const Ready = await lab.settled(wp, 'Ready', /Waiting/)
      for (const each of REQUIRED) await lab.create(requiredCrd(each, lab))
      await lab.works(wp)
      const definition = await lab.get(named('StackDefinition', 'wp', lab.teamA, API))
      const record = await lab.get(named('Package', 'wp', lab.teamA, API))
      const specs = (live: JsonObject, of: JsonObject) =>
        differencesOf(asObject(of.spec), lab.asRecorded(asObject(live.spec)))
      const owners = asObjects(asObject(record.metadata).ownerReferences).map(({kind}) => kind ?? null)
      await lab.patch(definition, {spec: {title: 'Changed', keywords: ['new']}})
      const titleNow = async () => asText(asObject((await lab.get(definition)).spec).title)
      const title = await lab.eventually(titleNow, now => now !== 'Changed')
      const recordTitle = asObject((await lab.get(record)).spec).title
      // From the same registry: that of another one is another package, which cannot own the same CRD.
      const source = 'registry.example.org'
      const second = requestOf('PackageInstall', lab.teamB, 'wp', {package: reference, source})
      await lab.create(second)
      const {Ready: withoutFlag} = await lab.works(second)
      for (const each of [wp, second]) await lab.remove(each)
      for (const each of [wp, second, definition, record]) await lab.gone(each)
      const {conditions} = asObject(asObject(asObject(plain.request).status).conditionedStatus)
      const original = asObjects(conditions).map(
        ({type, status, reason}) => `${asText(type)}=${asText(status)}: ${asText(reason)}`,
      )
      return [
        differs(
          'resolution',
          'Ready without its dependencies',
          [recordedState(waiting.request, 'Ready'), Ready],
          /^False WaitingForDependency .*kubernetesapplicationresources/,
        ),
        differs(
          'rendering',
          'fields of the StackDefinition',
          [[], specs(definition, asObject(doc.stackdefinition))],
          ONLY_TIMESTAMP,
        ),
        differs(
          'rendering',
          'fields of the record',
          [[], specs(record, asObject(doc.record))],
          ONLY_TIMESTAMP,
        ),
        same(
          'the labels of the record',
          asObject(asObject(doc.record).metadata).labels,
          lab.asRecorded(asObject(record.metadata).labels ?? {}),
        ),
        differs(
          'rendering',
          'the owner of the record',
          [
            asObjects(asObject(asObject(doc.record).metadata).ownerReferences).map(({kind}) => kind ?? null),
            owners,
          ],
          /^\[\]$/,
        ),
        differs('repairs', 'the title of a changed StackDefinition', ['Changed', title], /^Wordpress$/),
        same('the title of the record then', asObject(doc.after_change)['title of the record'], recordTitle),
        differs(
          'templates',
          'Ready without a flag for templates',
          [recordedState(original, 'Ready'), withoutFlag],
          /^True Available/,
        ),
        differs('templates', 'a record without it', [plain.record, true], /^true$/),
      ]
    },
  },
  {
    files: ['18-hosted', '27-start'],
    name: 'hosted',
    facts: async (lab, recorded) => {
      const [doc, start] = [recorded('18-hosted'), recorded('27-start')]
      const demo = requestOf('PackageInstall', lab.teamA, 'demo', {
        ...{package: lab.demo('v1'), imagePullSecrets: [{name: 'pull'}, {name: 'pull2'}]},
      })
      await lab.create(demo)
      const {Ready, Synced} = await lab.works(demo)
      const pod = (deployment: JsonObject) => asObject(asObject(asObject(deployment.spec).template).spec)
      const live = await lab.get(controllerOf(lab.teamA, 'demo'))
      return [
        differs('hosted-mode', 'its flag', [true, 'host-controller-namespace' in Run.flags], /^false$/),
        differs(
          'hosted-mode',
          'Ready without a token Secret',
          [recordedState(doc.while_the_service_account_has_no_token, 'Ready'), Ready],
          /^True Available/,
        ),
        differs(
          'hosted-mode',
          'the service account of the Pod',
          [pod(asObject(doc.deployment)).serviceAccountName ?? 'none', pod(live).serviceAccountName],
          /^demo$/,
        ),
        differs(
          'hosted-mode',
          'pull secrets',
          [
            asObjects(pod(asObject(doc.deployment)).imagePullSecrets).map(({name}) => name ?? null),
            asObjects(pod(live).imagePullSecrets).map(({name}) => name ?? null),
          ],
          /^\["pull","pull2"\]$/,
        ),
        differs(
          'no-job',
          'Synced without the image of the manager',
          [recordedState(start.no_image, 'Synced'), Synced],
          /^True/,
        ),
        differs(
          'no-job',
          'a Job of its name',
          [
            asObject(start.after_restart).adopted,
            asObject((await lab.get(demo)).status).installJob !== undefined,
          ],
          /^false$/,
        ),
      ]
    },
  },
  {
    files: ['20-own-permissions'],
    name: 'rights',
    facts: async (_, recorded) => {
      const doc = recorded('20-own-permissions')
      const [original, here] = [rightsIn(asObjects(doc.rules)), rightsIn(asObjects(managerRole('x').rules))]
      const needed = asTexts(asObject(doc['without escalate and bind']).refused).length > 0
      return await Promise.resolve([
        same('escalate on roles', needed, here.has('escalate clusterroles')),
        ...['get secrets', 'create secrets', 'create jobs', 'deletecollection clusterroles'].map(right =>
          differs('rights', right, [original.has(right), here.has(right)], /^false$/),
        ),
      ])
    },
  },
  {
    files: ['34-restart-and-foreign-fields'],
    name: 'fields',
    facts: async (lab, recorded) => {
      const doc = recorded('34-restart-and-foreign-fields')
      const h = requestOf('PackageInstall', lab.teamA, 'h', {package: lab.demo('v1')})
      await lab.create(h)
      await lab.works(h)
      await lab.patch(h, {metadata: {annotations: {'kubectl-crossplane.dev/x': 'y'}}, spec: {extra: 'x'}})
      const controller = controllerOf(lab.teamA, 'h')
      await lab.remove(controller)
      await lab.exists(controller)
      await lab.works(h)
      const {metadata, spec, status} = await lab.get(h)
      const after = asObject(doc.request_afterwards)
      return [
        same(
          'annotations of others',
          Object.keys(asObject(after.annotations)),
          Object.keys(asObject(asObject(metadata).annotations)),
        ),
        same('the spec', Object.keys(asObject(after.spec)), Object.keys(asObject(spec))),
        same(
          'the name of the record',
          asObject(asObject(after.status).packageRecord).name,
          asObject(asObject(status).packageRecord).name,
        ),
        differs(
          'repairs',
          'a deleted Deployment',
          [doc.deployment_recreated, (await lab.code(controller)) === 200],
          /^true$/,
        ),
        same(
          'the request stays while it has a finalizer',
          doc.request_waits_while_stopped,
          asTexts(asObject(metadata).finalizers).length === 1,
        ),
      ]
    },
  },
]

/** What changes the cluster for all. */
export const LAST_CASES: readonly RecordedCase[] = [
  {
    files: ['32-missing-kinds'],
    name: 'kinds',
    facts: async (lab, recorded) => {
      const doc = recorded('32-missing-kinds')
      const crd = named(
        'CustomResourceDefinition',
        'stackdefinitions.packages.crossplane.io',
        undefined,
        'apiextensions.k8s.io/v1',
      )
      const q = requestOf('PackageInstall', lab.teamA, 'q', {package: lab.demo('v1')})
      await lab.create(q)
      await lab.works(q)
      await lab.remove(crd)
      await lab.gone(crd)
      await lab.remove(q)
      await lab.gone(q)
      return [
        differs(
          'late-kinds',
          'a deletion without StackDefinitions',
          [recordedState(doc.deleting_without_stackdefinition_crd, 'Synced'), 'gone'],
          /^gone$/,
        ),
      ]
    },
  },
]
