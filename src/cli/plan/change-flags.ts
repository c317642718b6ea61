import {boolean, option, string} from '@oclif/core/flags'
import {bareClient, CLUSTER_DRY_RUNS} from '../shell/flags/dry-run.js'
import {parseDuration} from '../shell/flags/duration.js'
import {showObjectsFlag} from './plan-flags.js'

/** For a command that makes a change and reports it. */
export const changeOutputFlag = {
  output: option({
    char: 'o',
    options: ['text', 'wide', 'json', 'yaml'] as const,
    default: 'text',
    helpGroup: 'OUTPUT',
    summary: 'Output format; wide lists every object of the plan, as --show-objects does',
  })(),
}

/** The formats of a command that makes a change. */
export type ChangeOutput = 'text' | 'wide' | 'json' | 'yaml'

/** Reports whether a plan is shown with a line for each object. */
export function showsObjects(flags: {
  readonly output: ChangeOutput
  readonly 'show-objects': boolean
}): boolean {
  return flags['show-objects'] || flags.output === 'wide'
}

/** Flags of commands that change a cluster. */
export const changeFlags = {
  yes: boolean({char: 'y', helpGroup: 'SAFETY', summary: 'Skip the confirmation prompt'}),
  'dry-run': bareClient(
    option({
      options: CLUSTER_DRY_RUNS,
      default: 'none',
      helpGroup: 'OUTPUT',
      summary:
        'Print the plan and change nothing; server also sends each operation as a dry run and prints rejections',
    })(),
  ),
  'plan-out': string({
    exclusive: ['plan'],
    helpGroup: 'OUTPUT',
    helpValue: 'FILE',
    summary: 'Print the plan, save it to FILE and change nothing else',
  }),
  plan: string({
    helpGroup: 'OUTPUT',
    helpValue: 'FILE',
    summary: 'Apply the plan saved in FILE without a prompt, if it is still the same',
  }),
  ...showObjectsFlag,
  'show-files': boolean({helpGroup: 'OUTPUT', summary: 'Also show the files of the plan, with their diffs'}),
  'no-wait': boolean({helpGroup: 'OUTPUT', summary: 'Do not wait until objects are ready or deleted'}),
  timeout: string({
    default: '5m',
    helpGroup: 'OUTPUT',
    helpValue: 'DURATION',
    // Before a cluster is contacted.
    parse: text => Promise.resolve(expectDuration(text)),
    summary: 'Maximum time to wait until objects are ready or deleted, such as 30s or 5m',
  }),
}

/** For commands that remove what users created. */
export const backupFlag = {
  backup: string({
    exclusive: ['plan-out'],
    helpGroup: 'SAFETY',
    helpValue: 'DIR',
    summary: 'Back up custom resources that lose their controller to the empty folder DIR before any change',
  }),
}

/** For commands that can add the base. */
export const baseFlag = {
  'v0.12-base': boolean({
    helpGroup: 'SAFETY',
    summary: 'Like --with-package-api, also where a current Crossplane runs',
  }),
}

/** Flags of commands that apply objects which may exist. */
export const applyFlags = {
  adopt: boolean({
    helpGroup: 'SAFETY',
    summary: 'Take over objects that exist and were not created by this program',
  }),
  'force-conflicts': boolean({
    helpGroup: 'SAFETY',
    summary: 'Take over fields that other field managers own',
  }),
  'replace-crds': boolean({
    helpGroup: 'SAFETY',
    summary:
      'Delete and create CRDs that cannot be updated, if no custom resource or other install uses them',
  }),
  'migrate-versions': boolean({
    helpGroup: 'SAFETY',
    summary: 'Migrate custom resources that are stored in a version that the package no longer has',
  }),
  'custom-resources': option({
    options: ['abort', 'keep'] as const,
    default: 'abort',
    helpGroup: 'SAFETY',
    summary:
      'Policy for custom resources that would lose their controller: abort, or keep them and their CRDs',
  })(),
}

function expectDuration(text: string): string {
  parseDuration(text, '--timeout')
  return text
}
