import {Command} from '@oclif/core/command'
import {FOUND} from '../../cli/shell/exit-code.js'
import {argument} from '../../cli/shell/flags/argument.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {validateFlags} from '../../cli/compare/validate-flags.js'
import {closureQuery} from '../../cli/compare/compare-query.js'
import {objectPaths} from '../../cli/compare/impact-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {showNotes} from '../../cli/shell/document/show.js'
import {showValidation} from '../../cli/compare/show-validation.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {objectFiles, warningsOfEmpty} from '../../cli/files/object-files.js'
import {surfacePorts} from '../../cli/packages/package-ports.js'
import {goPatterns, schemaRules} from '../../cli/wire.js'
import {expectJudged} from '../../pipeline/impact/compare-packages.js'
import {validate} from '../../pipeline/validate.js'
import {count, plural} from '../../text.js'

export default class Validate extends Command {
  static override summary = 'Validate objects and Compositions offline'
  static override description = `Validates the objects of files by the schemas of the packages of a declaration, as a strict API server does: managed \
resources, composite resources, claims and configurations of providers, with unknown fields and rules in CEL. Packages are those of the lock; neither a cluster \
nor the network is needed. CRDs and CompositeResourceDefinitions among the objects are also used.

PATH, or -f as for kubectl, is a file, a folder with all YAML and JSON files below it, or - for standard input; without any, usage.objects of the declaration. Files that "package render" wrote are left out.

A kind that no package defines is an error, unless Kubernetes or Crossplane itself defines it: these objects are counted, and not \
validated, except for Compositions and CompositeResourceDefinitions. What cannot be judged, such as templates, is listed as unread.

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

  /** The flags that `--help` shows. */
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
    path: argument({description: 'Files or folders with objects, or - for standard input; as --objects'}),
  }

  static override flags = {...validateFlags, ...commonFlags}

  override async run(): Promise<void> {
    const {argv, flags, raw} = await this.parse(Validate)
    const query = closureQuery(flags, writtenFlags(raw))
    const shown = progress(this.argv)
    const options = {
      allowUnknown: flags['allow-unknown'],
      ...(await goPatterns()),
      rules: await schemaRules(),
    }
    const ports = surfacePorts(flags, shown, this.config.version)
    const named = [...(argv as string[]), ...(flags.objects ?? [])]
    const files = await objectFiles(named.length > 0 ? named : await objectPaths(flags, ports))
    const {validation, failures, unreadCrds} = await validate(query, files, options, ports).finally(shown.end)
    const notes = files.rendered.length > 0 ? [renderedNote(files.rendered.length)] : []
    showNotes([...notes, ...warningsOfEmpty(failures.empty)], this.argv)
    await showValidation(validation, flags.output, this.argv)
    expectJudged(failures.unreadable, {unread: unreadCrds})
    if (validation.findings.length > 0) this.exit(FOUND)
  }
}

function renderedNote(files: number) {
  const message = `${count(files, 'file')} that "package render" wrote ${plural(files, 'is', 'are')} left out`
  return {severity: 'note', rule: 'rendered-files', message} as const
}
