/** The ten commands to begin with, by what they are for; IDs as oclif writes them. */
export const START: readonly (readonly [title: string, ids: readonly string[]])[] = [
  ['REVIEW PACKAGES', ['package:inspect', 'package:tree', 'package:lock']],
  ['DELIVER THEM', ['package:import', 'package:render', 'package:install']],
  ['KEEP THEM CURRENT', ['package:status', 'package:outdated', 'package:impact', 'package:upgrade']],
]

/** Nouns and commands that only packages of Crossplane v0.12 need. */
const OLD = /^(?:manager|services|template)\b|^package.(?:generate-install|translate)$/

/** Whether a command, by its ID, is only for packages of Crossplane v0.12. */
export function ofOldCrossplane(id: string): boolean {
  return OLD.test(id)
}
