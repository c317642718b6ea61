import {asObject, asObjects, asText, asTexts, type JsonObject} from 'kubectl-crossplane/plugin'
import {accepted, connect} from '../../../../test/cluster/kube.js'
import {named} from '../run/manager-suite.js'
import {differs, recordedState, same} from './facts.js'
import {controllerOf, type Lab, recordOf, requestOf} from './lab.js'
import type {RecordedCase} from './request-cases.js'

const RBAC = 'rbac.authorization.k8s.io/v1'
const STANDARD = {apiGroups: [''], resources: ['configmaps', 'events', 'secrets'], verbs: ['*']}
const POD: JsonObject = {
  selector: {matchLabels: {a: 'b'}},
  template: {metadata: {labels: {a: 'b'}}, spec: {containers: [{name: 'c', image: 'i'}]}},
}
const controller: JsonObject = {deployment: {name: 'x', spec: POD}}

async function review(lab: Lab, account: string, attributes: JsonObject): Promise<string> {
  const spec = {user: account, resourceAttributes: attributes}
  const object = {apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec}
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
  return asObject(accepted(await lab.kube.send('POST', path, object)).status).allowed === true ? 'yes' : 'no'
}

/** What became of records that users wrote. */
export const RECORD_CASES: readonly RecordedCase[] = [
  {
    files: ['09-names-taken'],
    name: 'taken',
    facts: async (lab, recorded) => {
      const doc = recorded('09-names-taken')
      const of = {annotations: {of: 'someone else'}}
      const roleRef = {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view'}
      const binding = {...named('ClusterRoleBinding', 'same', undefined, RBAC), roleRef}
      const deployment = controllerOf(lab.teamA, 'same')
      await lab.create({...binding, metadata: {name: 'same', ...of}})
      await lab.create({...deployment, metadata: {...asObject(deployment.metadata), ...of}, spec: POD})
      const record = recordOf(lab.teamA, 'same', {
        permissionScope: 'Cluster',
        permissions: {rules: [STANDARD]},
        controller,
      })
      await lab.create(record)
      const {Ready, Synced} = await lab.states(record, 'Synced', /Conflict/)
      const live = await lab.get(binding)
      const made = await lab.roles(lab.teamA, 'same')
      const {controllerRef} = asObject((await lab.get(record)).status)
      const account = await lab.code(named('ServiceAccount', 'same', lab.teamA))
      for (const each of [record, binding, deployment]) await lab.remove(each)
      await lab.gone(record)
      return [
        differs(
          'names-taken',
          'Ready',
          [recordedState(doc.conditions, 'Ready'), Ready],
          /^False Conflict .*same/,
        ),
        differs(
          'names-taken',
          'Synced',
          [recordedState(doc.conditions, 'Synced'), Synced],
          /^False Conflict .*same/,
        ),
        same('the role of the binding', asObject(doc.binding).roleRef, live.roleRef),
        differs(
          'names-taken',
          'a Deployment of someone else in its status',
          [asObject(asObject(doc.status).controllerRef).name, controllerRef ?? 'none'],
          /^none$/,
        ),
        differs(
          'names-taken',
          'roles',
          [asTexts(doc.writes).filter(text => text.startsWith('create clusterroles')).length, made.length],
          /^0$/,
        ),
        differs('names-taken', 'a service account', [201, account], /^404$/),
      ]
    },
  },
  {
    files: ['12-14-records-by-hand'],
    name: 'byhand',
    facts: async (lab, recorded) => {
      const doc = recorded('12-14-records-by-hand')
      const original = (name: string, type: 'Ready' | 'Synced') =>
        recordedState(asObject(doc.conditions)[name], type)
      const wide = {apiGroups: ['apps'], resources: ['deployments'], verbs: ['*']}
      const byhand = recordOf(lab.teamA, 'byhand', {controller})
      const norule = recordOf(lab.teamA, 'norule', {permissions: {rules: [wide]}, controller})
      const waits = recordOf(lab.teamA, 'waits', {
        customresourcedefinitions: [{apiVersion: `${lab.group}/v1alpha1`, kind: 'Widget'}],
        ...{permissions: {rules: [STANDARD]}, controller},
      })
      for (const each of [byhand, norule, waits]) await lab.create(each)
      const works = await lab.works(byhand)
      const refused = await lab.states(norule, 'Synced', /PermissionRefused/)
      const missing = await lab.settled(waits, 'Ready', /Waiting/)
      const before = await lab.roles(lab.teamA, 'waits')
      await lab.create(lab.ownCrd())
      await lab.works(waits)
      const {labels} = asObject((await lab.get(lab.crd())).metadata)
      const pod = asObject(
        asObject(asObject((await lab.get(controllerOf(lab.teamA, 'byhand'))).spec).template).spec,
      )
      const roles = await lab.roles(lab.teamA, 'byhand')
      const originalRoles = asTexts(doc.clusterroles).map(text => text.split('/')[1] ?? '')
      const account = await lab.code(named('ServiceAccount', 'byhand', lab.teamA))
      for (const each of [byhand, norule, waits]) await lab.remove(each)
      for (const each of [byhand, norule, waits]) await lab.gone(each)
      const there = await lab.code(lab.crd())
      await lab.remove(lab.crd())
      return [
        same('Ready without rules', original('byhand', 'Ready'), works.Ready),
        same('Synced without rules', original('byhand', 'Synced'), works.Synced),
        same('its service account in the Pod', doc.serviceaccount_of_byhand, pod.serviceAccountName),
        differs(
          'service-account',
          'whether that exists',
          [asTexts(doc.objects).includes('serviceaccount/byhand'), account === 200],
          /^true$/,
        ),
        differs(
          'service-account',
          'its roles',
          [originalRoles.filter(role => role.includes(':byhand:')), roles],
          /"package:team-a:byhand::system"/,
        ),
        differs(
          'reasons',
          'Synced with a refused rule',
          [original('norule', 'Synced'), refused.Synced],
          /^False PermissionRefused .*deployments/,
        ),
        differs(
          'reasons',
          'Ready with a refused rule',
          [original('norule', 'Ready'), refused.Ready],
          /^False PermissionRefused/,
        ),
        differs(
          'reasons',
          'Ready without its CRD',
          [original('waits', 'Ready'), missing],
          /^False WaitingForDependency .*Widget/,
        ),
        differs(
          'records',
          'roles without its CRD',
          [originalRoles.filter(role => role.includes(':waits:')).length, before.length],
          /^0$/,
        ),
        differs(
          'claims',
          'labels of its CRD',
          [doc.crd_labels_afterwards, lab.asRecorded(labels ?? {})],
          /parent\.packages\.crossplane\.io\/team-a-waits/,
        ),
        same('the CRD stays without the record', 200, there),
      ]
    },
  },
  {
    files: ['33-namespace-admin'],
    name: 'admin',
    facts: async (lab, recorded) => {
      const doc = recorded('33-namespace-admin')
      const team = 'not-listed'
      await lab.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: team}})
      await lab.create(named('ServiceAccount', 'powerful', team))
      const foreign = {
        'app.kubernetes.io/managed-by': 'package-manager',
        [`namespace.crossplane.io/${lab.teamA}`]: 'true',
        [`parent.packages.crossplane.io/${lab.teamA}-x`]: 'true',
      }
      await lab.create(lab.ownCrd({labels: foreign}))
      const role = {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin-of-packages'}
      await lab.create({
        ...named('ClusterRole', role.name, undefined, RBAC),
        rules: [
          {apiGroups: ['packages.crossplane.io'], resources: ['packages', 'packageinstalls'], verbs: ['*']},
        ],
      })
      const {url, ca, tokens} = lab.cluster
      await lab.create({
        ...named('RoleBinding', 'admin', team, RBAC),
        roleRef: role,
        subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'nobody'}],
      })
      const user = connect({url, ca, token: tokens.nobody})
      const host = {
        hostNetwork: true,
        hostPID: true,
        volumes: [{name: 'h', hostPath: {path: '/'}}],
        containers: [{name: 'c', image: 'i'}],
      }
      const powerful = recordOf(team, 'powerful', {
        permissionScope: 'Cluster',
        controller: {
          deployment: {name: 'x', spec: {...POD, template: {metadata: {labels: {a: 'b'}}, spec: host}}},
        },
        permissions: {
          rules: [{apiGroups: ['packages.crossplane.io'], resources: ['*'], verbs: ['*']}, STANDARD],
        },
      })
      const claims = recordOf(team, 'claims', {
        customresourcedefinitions: [{apiVersion: `${lab.group}/v1alpha1`, kind: 'Widget'}],
      })
      // A server notices a new RoleBinding a moment later.
      const first = await lab.eventually(
        () => user.create(powerful),
        ({code}) => code !== 403,
      )
      const answers = [first, await user.create(claims)].map(({code}) => code)
      const direct = [
        await user.create({...controllerOf(team, 'x'), spec: POD}),
        await user.create(requestOf('ClusterPackageInstall', team, 'x', {package: 'a/b:c'})),
      ]
      user.close()
      const Ready = await lab.settled(powerful, 'Ready', /PolicyRefused/)
      const claimed = await lab.settled(claims, 'Ready', /PolicyRefused/)
      const account = `system:serviceaccount:${team}:powerful`
      const [secrets, requests] = [
        await review(lab, account, {verb: 'list', resource: 'secrets'}),
        await review(lab, account, {
          verb: 'create',
          group: 'packages.crossplane.io',
          resource: 'clusterpackageinstalls',
        }),
      ]
      const can = asObject(doc.the_service_account_can)
      const {labels} = asObject((await lab.get(lab.crd())).metadata)
      const isBound = (await lab.code(named('ClusterRoleBinding', 'powerful', undefined, RBAC))) === 200
      const refused = Object.values(asObject(doc.answers)).map(answer =>
        asText(answer).includes('created') ? 201 : 403,
      )
      const pods = await lab.code(controllerOf(team, 'powerful'))
      const roles = await lab.roles(team, 'claims')
      for (const each of [powerful, claims, lab.crd()]) await lab.remove(each)
      return [
        same('what the server allows', refused, [...answers, ...direct.map(({code}) => code)]),
        differs(
          'namespaces',
          'Ready',
          [recordedState(doc.record, 'Ready'), Ready],
          /^False PolicyRefused .*clusterNamespaces/,
        ),
        differs(
          'namespaces',
          'Ready of the other',
          ['True Available', claimed],
          /^False PolicyRefused .*clusterNamespaces/,
        ),
        differs(
          'namespaces',
          'its account lists all Secrets',
          [can['list secrets in all namespaces'], secrets],
          /^no$/,
        ),
        differs(
          'namespaces',
          'its account requests Cluster packages',
          [can['create ClusterPackageInstalls anywhere'], requests],
          /^no$/,
        ),
        differs('namespaces', 'a ClusterRoleBinding', [doc.binding !== undefined, isBound], /^false$/),
        differs('namespaces', 'a Pod with the node', [asObject(doc.pod).hostPID, pods === 200], /^false$/),
        differs(
          'namespaces',
          'claims on the CRD of another install',
          [
            Object.keys(asObject(doc.crd_of_another_install)).filter(key => key.endsWith('-claims')).length,
            Object.keys(asObject(labels)).filter(key => key.endsWith('-claims')).length,
          ],
          /^0$/,
        ),
        differs(
          'namespaces',
          'roles on it',
          [asObjects(asObject(doc.view_role).rules).length, roles.length],
          /^0$/,
        ),
      ]
    },
  },
  {
    files: ['17-personas'],
    name: 'personas',
    facts: async (lab, recorded) => {
      const doc = recorded('17-personas')
      const label = async (value: string | null) => {
        const patch = {metadata: {labels: {'rbac.crossplane.io/managed-roles': value}}}
        accepted(
          await lab.kube.send(
            'PATCH',
            `/api/v1/namespaces/${lab.teamB}`,
            patch,
            'application/merge-patch+json',
          ),
        )
      }
      const roles = ['admin', 'edit', 'view'].map(persona =>
        named('ClusterRole', `crossplane:ns:${lab.teamB}:${persona}`, undefined, RBAC),
      )
      await label('true')
      for (const each of roles) await lab.exists(each)
      const live = await Promise.all(roles.map(async each => await lab.get(each)))
      const comparable = (object: JsonObject): JsonObject => {
        const {metadata, aggregationRule = null} = object
        const {name, labels = null, ownerReferences} = asObject(metadata)
        const owners = asObjects(ownerReferences).map(({apiVersion, kind, name: owner}) =>
          [apiVersion, kind, owner].map(asText).join(' '),
        )
        return lab.asRecorded({name: name ?? null, labels, aggregationRule, owners})
      }
      await lab.remove(roles[2]!)
      await lab.exists(roles[2]!)
      await label(null)
      for (const each of roles) await lab.gone(each)
      return [
        same('roles of a labeled namespace', asObjects(doc.roles).map(comparable), live.map(comparable)),
        differs(
          'repairs',
          'a deleted role returns by itself',
          [asTexts(doc.one_role_deleted).length > 0, true],
          /^true$/,
        ),
        same('roles go with the label', asTexts(doc.label_removed).length > 0, true),
      ]
    },
  },
]
