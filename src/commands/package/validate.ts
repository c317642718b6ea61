import {Command} from '@oclif/core/command'
import {FOUND} from '../../cli/exit-code.js'
import {argument} from '../../cli/flags/argument.js'
import {commonFlags} from '../../cli/flags/global.js'
import {validateFlags} from '../../cli/flags/validate.js'
import {closureQuery} from '../../cli/options/compare-query.js'
import {writtenFlags} from '../../cli/options/written-flags.js'
import {showNotes} from '../../cli/output/document/show.js'
import {showValidation} from '../../cli/output/inspection/show-validation.js'
import {progress} from '../../cli/output/progress/progress.js'
import {emptyWarning, objectFiles} from '../../cli/ports/object-files.js'
import {requestPorts} from '../../cli/ports/package-ports.js'
import {patternMatcher, schemaRules} from '../../cli/wire.js'
import {expectJudged} from '../../pipeline/compare-packages.js'
import {validate} from '../../pipeline/validate.js'

export default class Validate extends Command {
  static override summary = 'Validate objects and Compositions offline'
  static override description = `Validates the objects of files by the schemas of the packages of a declaration, as a strict API server does: managed \
resources, composite resources, claims and configurations of providers, with unknown fields and rules in CEL. Packages are those of the lock; neither a cluster \
nor the network is needed. CRDs and CompositeResourceDefinitions among the objects are used, too.

PATH is a file, a folder with all YAML and JSON files below it, or - for standard input. Files that "package render" wrote are left out.

A kind that no package defines is an error, unless Kubernetes or Crossplane itself defines it: these objects are counted, and not validated. What cannot be \
judged, such as templates, is listed as unread.

Exits with 0 if nothing is wrong, with 1 for errors in objects, and with 7 if a file or a package could not be read.`

  static override examples = [
    {
      description: 'Validate the manifests of a folder',
      command: '<%= config.bin %> <%= command.id %> ./manifests',
    },
    {
      description: 'Validate rendered output, whose kinds of cert-manager need no schema',
      command:
        'kustomize build ./overlay | <%= config.bin %> <%= command.id %> - --allow-unknown cert-manager.io',
    },
  ]

  /** The flags that `-h` shows. */
  static isCheck = true
  static mostUsed = [
    'allow-unknown',
    'output',
    'declaration',
    'lock-file',
    'packages',
    'index',
    'offline',
    'quiet',
  ]

  static override strict = false
  static override args = {
    path: argument({required: true, description: 'Files or folders with objects, or - for standard input'}),
  }

  static override flags = {...validateFlags, ...commonFlags}

  override async run(): Promise<void> {
    const {argv, flags, raw} = await this.parse(Validate)
    const query = closureQuery(flags, writtenFlags(raw))
    const files = await objectFiles(argv as string[])
    const shown = progress(this.argv)
    const options = {
      allowUnknown: flags['allow-unknown'],
      match: await patternMatcher(),
      rules: await schemaRules(),
    }
    const ports = requestPorts(flags, shown)
    const {validation, failures, unreadCrds} = await validate(query, files, options, ports).finally(shown.end)
    const notes = files.rendered.length > 0 ? [renderedNote(files.rendered.length)] : []
    showNotes([...notes, ...failures.empty.map(emptyWarning)], this.argv)
    await showValidation(validation, flags.output, this.argv)
    expectJudged(failures.unreadable, {unread: unreadCrds})
    if (validation.findings.length > 0) this.exit(FOUND)
  }
}

function renderedNote(files: number) {
  return {
    severity: 'note',
    rule: 'rendered-files',
    message: `${files} files that "package render" wrote are left out`,
  } as const
}
