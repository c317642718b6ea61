import {asObject, asText, asTexts, type JsonObject} from 'kubectl-crossplane/plugin'
import {named, SYSTEM} from '../run/manager-suite.js'
import {conditionIn} from '../run/real-manager.js'
import {differs, recordedState, same} from './facts.js'
import {controllerOf, type Lab, requestOf} from './lab.js'
import type {RecordedCase} from './request-cases.js'

const RBAC = 'rbac.authorization.k8s.io/v1'
const API = 'packages.crossplane.io/v1alpha1'

async function kept(lab: Lab, objects: readonly JsonObject[]): Promise<readonly string[]> {
  const codes = await Promise.all(objects.map(async each => await lab.code(each)))
  return objects.flatMap(({kind}, at) => (codes[at] === 200 ? [asText(kind)] : []))
}

/** What changes after an install is Ready, until it is gone. */
export const CHANGE_CASES: readonly RecordedCase[] = [
  {
    files: [
      '07-changes-after-ready',
      '08-record-deleted',
      '16a-request-deleted-after-record',
      '16b-request-deleted',
    ],
    name: 'nop',
    owner: 'cdemo',
    facts: async (lab, recorded) => {
      const changes = recorded('07-changes-after-ready')
      const [byRecord, removed, again] = [
        recorded('08-record-deleted'),
        recorded('16a-request-deleted-after-record'),
        recorded('16b-request-deleted'),
      ]
      const nop = requestOf('ClusterPackageInstall', SYSTEM, 'nop', {package: lab.packageOf('cdemo:v1')})
      const record = named('Package', 'nop', SYSTEM, API)
      const binding = named('ClusterRoleBinding', 'nop', undefined, RBAC)
      const [account, controller] = [named('ServiceAccount', 'nop', SYSTEM), controllerOf(SYSTEM, 'nop')]
      await lab.create(nop)
      await lab.works(nop)
      const status = asObject((await lab.get(nop)).status)
      await lab.patch(nop, {spec: {package: lab.packageOf('cdemo:v2')}})
      await lab.works(nop)
      for (const each of [binding, controller]) await lab.remove(each)
      for (const each of [binding, controller]) await lab.exists(each)
      await lab.patch(record, {spec: {version: '9'}})
      const version = async () => asObject((await lab.get(record)).spec).version
      const restored = await lab.eventually(version, now => now !== '9')
      const uid = async () => asObject((await lab.get(record)).metadata).uid
      const before = await uid()
      await lab.remove(record)
      const after = await lab.eventually(uid, now => now !== undefined && now !== before)
      const end = await lab.works(nop)
      const roles = await lab.roles(SYSTEM, 'nop')
      const {conditions} = changes
      const facts = [
        differs(
          'upgrades',
          'objects of a changed package',
          [
            asTexts(changes.spec_package_edited).some(text => text.includes(' clusterroles ')),
            roles.some(role => role.includes(':v2:')),
          ],
          /^true$/,
        ),
        differs(
          'repairs',
          'a deleted Deployment',
          [changes.deployments !== '', (await lab.code(controller)) === 200],
          /^true$/,
        ),
        differs('repairs', 'an edited record', ['9', restored], /^v2$/),
        differs(
          'repairs',
          'a deleted record',
          [asObject(asObject(byRecord.request).status).packageRecord === undefined, after !== before],
          /^true$/,
        ),
        differs(
          'repairs',
          'roles once the record is deleted',
          [asTexts(asObject(byRecord.left).clusterroles).length > 0, roles.length > 0],
          /^true$/,
        ),
        same('Ready of the request', recordedState(asObject(conditions).request, 'Ready'), end.Ready),
        same('Synced of the request', recordedState(asObject(conditions).request, 'Synced'), end.Synced),
        same(
          'its finalizers',
          asObject(asObject(byRecord.request).metadata).finalizers,
          asObject((await lab.get(nop)).metadata).finalizers,
        ),
        same(
          'the name of the record in its status',
          asObject(asObject(asObject(byRecord.request).status).packageRecord).name,
          asObject(status.packageRecord).name,
        ),
      ]
      await lab.remove(nop)
      for (const each of [nop, record, lab.crd()]) await lab.gone(each)
      const left = await kept(lab, [account, binding, controller])
      return [
        ...facts,
        same('CRDs that are left', removed.left, []),
        same('CRDs that are left with a record', asObject(again.left).crds, []),
        differs(
          'service-account',
          'what is left where nothing collects garbage',
          [asTexts(asObject(again.left)['in namespace']).length, left.length],
          /^0$/,
        ),
      ]
    },
  },
  {
    files: ['16c-other-finalizer'],
    name: 'hold',
    facts: async (lab, recorded) => {
      const original = asObject(recorded('16c-other-finalizer').request)
      const fin = requestOf('PackageInstall', lab.teamB, 'fin', {package: 'nowhere/nosuch:v1'})
      await lab.create({...fin, metadata: {...asObject(fin.metadata), finalizers: ['example.org/hold']}})
      await lab.settled(fin, 'Synced', /PolicyRefused/)
      await lab.remove(fin)
      const finalizers = async () => asTexts(asObject((await lab.get(fin)).metadata).finalizers)
      const own = await lab.eventually(finalizers, all => all.length === 1)
      const Synced = conditionIn(await lab.get(fin), 'Synced')
      await lab.patch(fin, {metadata: {finalizers: null}})
      await lab.gone(fin)
      return [
        same('finalizers', original.finalizers, own),
        differs(
          'finalizers',
          'Synced',
          [recordedState(original.conditions, 'Synced'), Synced],
          /^False PolicyRefused/,
        ),
      ]
    },
  },
  {
    files: ['35-all-deleted-at-once'],
    name: 'atonce',
    facts: async (lab, recorded) => {
      const doc = recorded('35-all-deleted-at-once')
      const h = requestOf('PackageInstall', lab.teamA, 'h', {package: lab.demo('v1')})
      await lab.create(h)
      await lab.works(h)
      const objects = [
        h,
        named('Package', 'h', lab.teamA, API),
        controllerOf(lab.teamA, 'h'),
        named('RoleBinding', 'h', lab.teamA, RBAC),
      ]
      await Promise.all(objects.map(async each => await lab.kube.delete(each)))
      for (const each of [...objects, lab.crd()]) await lab.gone(each)
      return [
        same('it ends', doc.finished, true),
        same('the CRD', doc.crd, 'gone'),
        same('roles', doc.clusterroles, await lab.roles(lab.teamA, 'h')),
      ]
    },
  },
]
