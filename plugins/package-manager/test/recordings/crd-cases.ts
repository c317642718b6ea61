import {asObject, asTexts, jsonEqual} from 'kubectl-crossplane/plugin'
import {named} from '../run/manager-suite.js'
import {differs, recordedState, same} from './facts.js'
import {controllerOf, requestOf} from './lab.js'
import type {RecordedCase} from './request-cases.js'

const MANAGED = {'app.kubernetes.io/managed-by': 'package-manager'}

/** What becomes of CRDs that several use. */
export const CRD_CASES: readonly RecordedCase[] = [
  {
    files: ['03-shared-crd'],
    name: 'shared',
    facts: async (lab, recorded) => {
      const doc = recorded('03-shared-crd')
      const of = (step: string, crd = 'widgets') => asObject(doc[step])[`${crd}.demo.example.org`]
      const a = requestOf('PackageInstall', lab.teamA, 'demo', {package: lab.demo('v1')})
      const b = requestOf('PackageInstall', lab.teamB, 'demo', {package: lab.demo('v2')})
      await lab.create(a)
      await lab.works(a)
      const first = await lab.crdFacts('widgets')
      await lab.create(b)
      const newer = await lab.settled(b, 'Ready', /Waiting/)
      const unchanged = await lab.crdFacts('widgets')
      await lab.patch(b, {spec: {package: lab.demo('v1')}})
      await lab.works(b)
      const second = await lab.crdFacts('widgets')
      await lab.remove(a)
      await lab.gone(a)
      const third = await lab.crdFacts('widgets')
      await lab.patch(b, {spec: {package: lab.demo('v2')}})
      await lab.works(b)
      const fourth = [await lab.crdFacts('widgets'), await lab.crdFacts('gadgets')]
      const lacking = requestOf('PackageInstall', lab.teamA, 'demo3', {package: lab.demo('v3')})
      await lab.create(lacking)
      const lackingState = await lab.settled(lacking, 'Ready', /Waiting/)
      await lab.patch(b, {spec: {package: lab.demo('v3')}})
      const refused = await lab.settled(b, 'Synced', /Upgrade/)
      return [
        same('the CRD of the first', of('after_v1_in_team_a'), first),
        differs(
          'one-version',
          'a newer version in a second namespace',
          ['True Available', newer],
          /^False WaitingForDependency .*pinned as shared-a\/demo/,
        ),
        differs(
          'one-version',
          'the CRD for both then',
          [of('after_v2_in_team_b'), unchanged],
          /"versions":\["v1alpha1"\]/,
        ),
        same('labels with the second', asObject(of('after_v2_in_team_b')).labels, second.labels),
        same('labels without the first', asObject(of('after_team_a_removed')).labels, third.labels),
        same('versions for the last', asObject(of('after_team_a_removed')).versions, fourth[0]?.versions),
        differs(
          'upgrades',
          'the title with a newer version',
          [asObject(of('after_team_a_removed')).title, fourth[0]?.title],
          /^Demo two$/,
        ),
        same('the other CRD of that', of('after_team_a_removed', 'gadgets'), fourth[1]),
        differs(
          'one-version',
          'another install of a version that lacks one of the CRD',
          [recordedState(doc.v3_lacking_a_version, 'Ready'), lackingState],
          /^False WaitingForDependency .*pinned as shared-b\/demo/,
        ),
        differs(
          'reasons',
          'an upgrade to it',
          [recordedState(doc.v3_lacking_a_version, 'Synced'), refused],
          /^False UpgradeRefused .*v1alpha1/,
        ),
      ]
    },
  },
  {
    files: ['25-orphans'],
    name: 'orphan',
    facts: async (lab, recorded) => {
      const doc = recorded('25-orphans')
      await lab.create(lab.ownCrd({labels: MANAGED}))
      const any = requestOf('PackageInstall', lab.teamB, 'any', {package: 'nowhere/nosuch:v1'})
      await lab.create(any)
      await lab.settled(any, 'Synced', /^False/)
      await lab.remove(any)
      await lab.gone(any)
      const code = await lab.code(lab.crd())
      return [
        differs(
          'foreign-crds',
          'a CRD without a claim',
          [doc.crd_afterwards, code === 404 ? 'gone' : 'there'],
          /^there$/,
        ),
      ]
    },
  },
  {
    files: ['29-instances', '30-reinstall-while-deleting'],
    name: 'widgets',
    facts: async (lab, recorded) => {
      const doc = recorded('29-instances')
      const again = recorded('30-reinstall-while-deleting')
      const demo = requestOf('PackageInstall', lab.teamB, 'demo', {package: lab.demo('v1')})
      await lab.create(demo)
      await lab.works(demo)
      const mine = lab.widget(lab.teamB, 'mine', {finalizers: [`${lab.group}/cleanup`]})
      const plain = lab.widget(lab.teamA, 'plain')
      for (const each of [mine, plain]) await lab.create(each)
      await lab.remove(demo)
      const Ready = await lab.settled(demo, 'Ready', /Exist/)
      const isDeleting = asObject((await lab.get(lab.crd())).metadata).deletionTimestamp !== undefined
      const widgets = [await lab.code(mine), await lab.code(plain)]
      const controller = await lab.code(controllerOf(lab.teamB, 'demo'))
      // With the consent of its user, the CRD goes, and hangs for the finalizer.
      await lab.patch(demo, {metadata: {annotations: {'kubectl-crossplane.dev/custom-resources': 'keep'}}})
      await lab.gone(demo)
      const kept = await lab.code(plain)
      const crdNow = async () => asObject((await lab.get(lab.crd())).metadata).uid
      const old = await crdNow()
      await lab.remove(lab.crd())
      const second = requestOf('PackageInstall', lab.teamB, 'again', {package: lab.demo('v1')})
      await lab.create(second)
      const waiting = await lab.states(second, 'Synced', /Conflict/)
      await lab.patch(mine, {metadata: {finalizers: null}})
      await lab.eventually(crdNow, uid => uid !== old)
      const end = await lab.works(second)
      return [
        differs(
          'custom-resources',
          'the CRD is deleted',
          [asObject(doc.crd).deleting, isDeleting],
          /^false$/,
        ),
        differs(
          'custom-resources',
          'custom resources that stay',
          [asTexts(doc.instances).length, widgets.filter(code => code === 200).length],
          /^2$/,
        ),
        differs(
          'custom-resources',
          'the controller runs',
          [asTexts(doc.deployments).length, controller === 200 ? 1 : 0],
          /^1$/,
        ),
        differs('custom-resources', 'Ready', ['none', Ready], /^False InstancesExist .*2 custom resources/),
        differs(
          'custom-resources',
          'another one stays if its user wants that',
          [false, kept === 200],
          /^true$/,
        ),
        same('Synced while the CRD is being deleted', 'False', waiting.Synced.slice(0, 5)),
        differs(
          'reasons',
          'its reason',
          [recordedState(again.status, 'Synced'), waiting.Synced],
          /^False Conflict .*deleted/,
        ),
        same('Synced in the end', recordedState(again.finally_, 'Synced'), end.Synced),
        same('Ready in the end', recordedState(again.finally_, 'Ready'), end.Ready),
      ]
    },
  },
  {
    files: ['31-crd-of-another-owner'],
    name: 'argocd',
    facts: async (lab, recorded) => {
      const doc = recorded('31-crd-of-another-owner')
      const annotations = {'packages.crossplane.io/package-title': 'Mine', keep: 'this'}
      await lab.create(lab.ownCrd({labels: {'app.kubernetes.io/managed-by': 'argocd'}, annotations}))
      const demo = requestOf('PackageInstall', lab.teamB, 'demo', {package: lab.demo('v1')})
      await lab.create(demo)
      const {Ready, Synced} = await lab.states(demo, 'Synced', /Conflict/)
      const {metadata} = await lab.get(lab.crd())
      await lab.remove(demo)
      await lab.gone(demo)
      const after = asObject((await lab.get(lab.crd())).metadata)
      const original = asObject(doc.after_install)
      return [
        differs('foreign-crds', 'Synced', ['True ReconcileSuccess', Synced], /^False Conflict .*widgets/),
        differs('foreign-crds', 'Ready', ['True Available', Ready], /^False Conflict .*widgets/),
        differs(
          'foreign-crds',
          'labels',
          [original.labels, asObject(metadata).labels],
          /^\{"app\.kubernetes\.io\/managed-by":"argocd"\}$/,
        ),
        same('annotations', original.annotations, asObject(metadata).annotations),
        differs(
          'foreign-crds',
          'labels in the end',
          [doc.after_removal, after.labels],
          /^\{"app\.kubernetes\.io\/managed-by":"argocd"\}$/,
        ),
      ]
    },
  },
  {
    files: ['37-older-version-in-a-second-namespace'],
    name: 'older',
    facts: async (lab, recorded) => {
      const original = recorded('37-older-version-in-a-second-namespace').request_in_team_b
      const a = requestOf('PackageInstall', lab.teamA, 'demo', {package: lab.demo('v2')})
      const b = requestOf('PackageInstall', lab.teamB, 'demo', {package: lab.demo('v1')})
      await lab.create(a)
      await lab.works(a)
      await lab.create(b)
      const {Ready, Synced} = await lab.states(b, 'Ready', /Waiting/)
      return [
        differs('one-version', 'Synced', [recordedState(original, 'Synced'), Synced], /^True/),
        differs(
          'one-version',
          'Ready',
          [recordedState(original, 'Ready'), Ready],
          /^False WaitingForDependency .*pinned as older-a\/demo/,
        ),
      ]
    },
  },
  {
    files: ['41-both-eras'],
    name: 'eras',
    facts: async (lab, recorded) => {
      const doc = recorded('41-both-eras')
      const stack = {
        ...requestOf('PackageInstall', lab.teamA, 'demo', {package: lab.demo('v1')}),
        ...{apiVersion: 'stacks.crossplane.io/v1alpha1', kind: 'StackInstall'},
      }
      await lab.create(stack)
      await lab.works(stack)
      const demo = requestOf('PackageInstall', lab.teamB, 'demo', {package: lab.demo('v1')})
      await lab.create(demo)
      const {Ready, Synced} = await lab.works(demo)
      const both = lab.asRecorded(asObject((await lab.get(lab.crd())).metadata).labels ?? {})
      await lab.remove(demo)
      await lab.gone(demo)
      // Both installs write the CRD: the one that stays may still be about to remove labels.
      const labels = async () => lab.asRecorded(asObject((await lab.get(lab.crd())).metadata).labels ?? {})
      const after = await lab.eventually(labels, now => jsonEqual(now, doc.labels_after_package_removed))
      return [
        same('Synced', recordedState(doc.record, 'Synced'), Synced),
        same('Ready', recordedState(doc.record, 'Ready'), Ready),
        differs(
          'claims',
          'labels with both',
          [doc.labels_with_both, both],
          /parent\.packages\.crossplane\.io\/team-b-demo.*parent\.stacks\.crossplane\.io\/team-a-demo/,
        ),
        same('labels without the Package', doc.labels_after_package_removed, after),
        same(
          'a record',
          404,
          await lab.code(named('Package', 'demo', lab.teamB, 'packages.crossplane.io/v1alpha1')),
        ),
      ]
    },
  },
]
