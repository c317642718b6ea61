import {keptVersions} from '../../declaration/kept-versions.js'
import type {Diagnostic} from '../../diagnostic.js'
import {commitMessage, commitSubject, shortSubject} from '../../inspect/commit-message.js'
import type {FolderSummary} from '../../inspect/folder-summary.js'
import {replacementSteps} from '../../plan/folder/crd-file-changes.js'
import type {HomePlace} from '../../plan/folder/home.js'
import {versionSteps} from '../../plan/git/version-steps.js'
import {present} from '../../present.js'
import type {SettingChange} from '../render/setting-change.js'
import {settingNotes, settingSubject} from '../render/setting-texts.js'
import type {GitQuery} from './git-request.js'
import {commitImpact} from './judge-impact.js'
import type {PlannedHome} from './plan-home.js'

/** What a change was judged to be. */
interface JudgedChange {
  readonly summary: FolderSummary
  readonly warnings: readonly Diagnostic[]
  readonly settings: SettingChange
  readonly place: HomePlace
}

/** Returns the message of the commit of a change. */
export function messageOf(
  query: GitQuery,
  {step, resumed, oldLock, newLock, impact}: PlannedHome,
  {summary, warnings, settings, place}: JudgedChange,
): string {
  return commitMessage({
    subject:
      query.subject ??
      settingSubject(settings) ??
      shortSubject(subjectOf(step, resumed) ?? commitSubject(oldLock, newLock, summary.installs)),
    settings: settingNotes(settings),
    markedInstalls: [...(step === undefined ? [] : [step.key]), ...resumed],
    assumesNoInstances: query.assumeNoInstances,
    keepsInstances: query.keepsInstances,
    steps: replacementSteps(warnings),
    versionSteps: versionSteps(keptVersions(oldLock ?? {packages: []}), keptVersions(newLock)),
    summary,
    ...present({impact: commitImpact(impact, place)}),
    oldLock,
    newLock,
  })
}

function subjectOf(step: PlannedHome['step'], [resumed]: PlannedHome['resumed']): string | undefined {
  return step?.subject ?? (resumed === undefined ? undefined : `Cancel the uninstall of ${resumed}`)
}
