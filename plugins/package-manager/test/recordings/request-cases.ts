import {asObject, asObjects, asText, asTexts, type JsonObject} from 'kubectl-crossplane/plugin'
import {named} from '../run/manager-suite.js'
import {differs, type Fact, recordedState, same} from './facts.js'
import {controllerOf, type Lab, requestOf} from './lab.js'

/** A recording, with the same steps here. */
export interface RecordedCase {
  /** The recordings, without `.yaml`. */
  readonly files: readonly string[]
  /** The name of its group and packages, and of its namespaces. */
  readonly name: string
  /** The package that the policy assigns its group to, without the prefix; `demo` by default. */
  readonly owner?: string
  /** Returns the facts; `recorded` is what a file has. */
  readonly facts: (lab: Lab, recorded: (file: string) => JsonObject) => Promise<readonly Fact[]>
}

const RBAC = 'rbac.authorization.k8s.io/v1'

/** What became of requests. */
export const REQUEST_CASES: readonly RecordedCase[] = [
  {
    files: ['04-job-failed'],
    name: 'wrong',
    facts: async (lab, recorded) => {
      const {status, after_package_corrected: corrected} = recorded('04-job-failed')
      const wrong = requestOf('PackageInstall', lab.teamA, 'wrong', {package: lab.packageOf('cdemo:v1')})
      await lab.create(wrong)
      const {Ready, Synced} = await lab.states(wrong, 'Synced', /ScopeMismatch/)
      await lab.patch(wrong, {spec: {package: lab.demo('v1')}})
      const {Synced: after} = await lab.works(wrong)
      return [
        differs(
          'reasons',
          'Ready',
          [recordedState(status, 'Ready'), Ready],
          /^False ScopeMismatch .*ClusterPackageInstall/,
        ),
        differs('reasons', 'Synced', [recordedState(status, 'Synced'), Synced], /^False ScopeMismatch /),
        differs('retries', 'Synced once corrected', [recordedState(corrected, 'Synced'), after], /^True/),
        differs(
          'no-job',
          'its Job',
          [true, asObject((await lab.get(wrong)).status).installJob ?? false],
          /^false$/,
        ),
      ]
    },
  },
  {
    files: ['05-06-14-stuck'],
    name: 'stuck',
    facts: async (lab, recorded) => {
      const doc = recorded('05-06-14-stuck')
      const original = (name: string, type: 'Ready' | 'Synced') =>
        recordedState(asObject(doc[name]).conditions, type)
      const crd = `widgets.${lab.group}/v1alpha1`
      const requests = {
        noimage: requestOf('PackageInstall', lab.teamA, 'noimage', {package: 'nowhere/nosuch:v1'}),
        both: requestOf('PackageInstall', lab.teamA, 'both', {crd, package: lab.demo('v2')}),
        core: requestOf('ClusterPackageInstall', lab.teamB, 'core', {package: lab.packageOf('core:v1')}),
        bycrd: requestOf('PackageInstall', lab.teamA, 'bycrd', {crd}),
      }
      for (const each of Object.values(requests)) await lab.create(each)
      const noimage = await lab.states(requests.noimage, 'Synced', /PolicyRefused/)
      const both = await lab.states(requests.both, 'Synced', /InvalidRequest/)
      const core = await lab.settled(requests.core, 'Ready', /Waiting/)
      const {Ready: bycrd} = await lab.works(requests.bycrd)
      return [
        differs(
          'reasons',
          'an image that does not exist',
          [original('noimage', 'Synced'), noimage.Synced],
          /^False PolicyRefused/,
        ),
        differs(
          'reasons',
          'its Ready',
          [original('noimage', 'Ready'), noimage.Ready],
          /^False PolicyRefused/,
        ),
        differs('resolution', 'a request for a CRD', [original('bycrd', 'Ready'), bycrd], /^True/),
        differs('resolution', 'for both', [original('both', 'Synced'), both.Synced], /^False InvalidRequest/),
        differs(
          'resolution',
          'a kind that no package provides',
          [original('core', 'Ready'), core],
          /^False WaitingForDependency .*nodes\.k8s\.io/,
        ),
      ]
    },
  },
  {
    files: ['10-11-foreign-jobs'],
    name: 'jobs',
    facts: async (lab, recorded) => {
      const doc = recorded('10-11-foreign-jobs')
      const job = (name: string, labels: JsonObject): JsonObject => ({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: {name, namespace: lab.teamA, labels},
        spec: {template: {spec: {restartPolicy: 'Never', containers: [{name: 'x', image: 'img:1'}]}}},
      })
      await lab.create(job('evil3', {}))
      await lab.create(job('stale3', {'core.crossplane.io/parent-name': 'other'}))
      const requests = ['evil3', 'stale3'].map(name =>
        requestOf('PackageInstall', name === 'evil3' ? lab.teamA : lab.teamB, name, {
          package: lab.demo('v1'),
        }),
      )
      const states = []
      for (const each of requests) {
        await lab.create(each)
        states.push(await lab.works(each))
      }
      const [evil, stale] = states
      const jobs = await Promise.all(
        ['evil3', 'stale3'].map(async name => await lab.code(named('Job', name, lab.teamA, 'batch/v1'))),
      )
      const binding = await lab.code(named('ClusterRoleBinding', 'taken-over', undefined, RBAC))
      const made = asObject(asObject(doc.evil)['what the manager made']).kind !== undefined
      return [
        differs('no-job', 'what a Job prints is created', [made, binding === 200], /^false$/),
        same(
          'Synced beside a Job without labels',
          recordedState(asObject(doc.evil).conditions, 'Synced'),
          evil?.Synced,
        ),
        differs(
          'no-job',
          'Ready beside it',
          [recordedState(asObject(doc.evil).conditions, 'Ready'), evil?.Ready],
          /^True/,
        ),
        differs(
          'no-job',
          'beside one of another request',
          [recordedState(doc.stale, 'Synced'), stale?.Synced],
          /^True/,
        ),
        same('the Jobs stay', [200, 200], jobs),
      ]
    },
  },
  {
    files: ['14-refused-rule'],
    name: 'core',
    facts: async (lab, recorded) => {
      const doc = recorded('14-refused-rule')
      const core = requestOf('ClusterPackageInstall', lab.teamA, 'core', {package: lab.packageOf('core:v1')})
      await lab.create(core)
      const Ready = await lab.settled(core, 'Ready', /Waiting/)
      const record = await lab.code(named('Package', 'core', lab.teamA, 'packages.crossplane.io/v1alpha1'))
      return [
        differs(
          'resolution',
          'Ready of the request',
          [recordedState(doc.request, 'Ready'), Ready],
          /^False WaitingForDependency .*nodes\.k8s\.io/,
        ),
        differs('resolution', 'a record', [doc.record !== undefined, record === 200], /^false$/),
        differs(
          'resolution',
          'a CRD',
          [doc.crd_labels !== undefined, (await lab.code(lab.crd())) === 200],
          /^false$/,
        ),
      ]
    },
  },
  {
    files: ['44-real-controllers'],
    name: 'ready',
    facts: async (lab, recorded) => {
      const doc = recorded('44-real-controllers')
      const {request} = asObject(doc.ready_while_no_pod_runs)
      const demo = requestOf('PackageInstall', lab.teamA, 'demo', {package: lab.demo('v1')})
      await lab.create(demo)
      const Ready = await lab.settled(demo, 'Ready', /Unavailable/)
      const Synced = await lab.settled(demo, 'Synced', /^True/)
      await lab.works(demo)
      const view = await lab.get(named('ClusterRole', `package:${lab.teamA}:demo:v1:view`, undefined, RBAC))
      const rules = asObjects(view.rules).map(rule =>
        ['apiGroups', 'resources', 'verbs']
          .map(
            field =>
              `[${asTexts(rule[field])
                .map(text => `'${text}'`)
                .join(', ')}]`,
          )
          .join(' '),
      )
      const one = lab.widget(lab.teamA, 'one', {finalizers: [`${lab.group}/cleanup`]})
      await lab.create(one)
      await lab.remove(demo)
      const waiting = await lab.settled(demo, 'Ready', /Exist/)
      const there = [await lab.code(demo), await lab.code(controllerOf(lab.teamA, 'demo'))]
      await lab.patch(one, {metadata: {finalizers: null}})
      await lab.remove(one)
      // Custom resources are not watched: a change of the request is noticed sooner than their absence.
      await lab.touch(demo)
      for (const each of [demo, controllerOf(lab.teamA, 'demo'), lab.crd()]) await lab.gone(each)
      const left = await lab.kube.send('GET', `/api/v1/namespaces/${lab.teamA}/serviceaccounts`)
      const deleted = asObject(doc.namespace_deleted)
      return [
        differs(
          'readiness',
          'Ready while no Pod runs',
          [recordedState(request, 'Ready'), Ready],
          /^False Unavailable .*Deployment/,
        ),
        same('Synced while no Pod runs', recordedState(request, 'Synced'), Synced),
        same(
          'rules of the role of readers',
          doc.persona_view_role_rules_of_the_package,
          lab.asRecorded(rules),
        ),
        differs(
          'custom-resources',
          'the request goes before a custom resource',
          [deleted.request === false, there[0] === 404],
          /^false$/,
        ),
        differs(
          'custom-resources',
          'so does the controller',
          [deleted.deployment === false, there[1] === 404],
          /^false$/,
        ),
        differs(
          'custom-resources',
          'Ready meanwhile',
          ['none', waiting],
          /^False InstancesExist .*1 custom resource of widgets/,
        ),
        same('the CRD goes in the end', deleted['crd after'], true),
        same('roles are left', deleted['clusterroles after'], await lab.roles(lab.teamA, 'demo')),
        same(
          'service accounts that are left',
          asTexts(doc.left_after_removal).filter(text => !text.endsWith('/default')),
          asObjects(left.body.items)
            .map(({metadata}) => `serviceaccount/${asText(asObject(metadata).name)}`)
            .filter(text => !text.endsWith('/default')),
        ),
      ]
    },
  },
]
