import {Command} from '@oclif/core/command'
import {directory, option, string} from '@oclif/core/flags'
import {
  catalogFlags,
  commonFlags,
  openCatalog,
  progress,
  showChange,
  showNotes,
  writeCatalog,
  writtenFlags,
} from 'kubectl-crossplane/plugin'

export default class CatalogBuild extends Command {
  static override summary = 'Write a web site of packages'
  static override description = `Writes a web site of the packages of a folder, an index, a declaration or a lock file: a page for each package, version and \
kind, with fields, permissions, dependencies, changes between versions and forms. Pages open from disk and from any web \
server, load nothing from other hosts, and contain no code of packages.

Run the command again after packages change: files that stay the same are not written, and files of pages that no longer exist \
are removed. Other files of the folder stay.`

  static override examples = [
    {
      description: 'Write a site of the packages of a folder',
      command: '<%= config.bin %> <%= command.id %> --packages ./packages --output-dir ./site',
    },
    {
      description: 'Write a site of the two newest versions of each package of an index',
      command:
        '<%= config.bin %> <%= command.id %> --index registry.example.org/index --versions 2 --output-dir ./site',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'output-dir',
    'packages',
    'index',
    'declaration',
    'lock-file',
    'versions',
    'site-title',
    'quiet',
  ]

  static override flags = {
    'output-dir': directory({
      required: true,
      helpGroup: 'OUTPUT',
      helpValue: 'DIR',
      summary: 'Folder to write the site to',
    }),
    'site-title': string({
      default: 'Packages',
      helpGroup: 'OUTPUT',
      helpValue: 'TEXT',
      summary: 'Title of the site',
    }),
    output: option({
      char: 'o',
      options: ['text', 'json'] as const,
      default: 'text',
      helpGroup: 'OUTPUT',
      summary: 'Output format; text may change between releases',
    })(),
    ...catalogFlags,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {flags, raw} = await this.parse(CatalogBuild)
    const shown = progress(this.argv)
    const folder = flags['output-dir']
    const build = async () => {
      const {version: program} = this.config
      const source = await openCatalog(flags, writtenFlags(raw), shown, {folder, program})
      const {buildSite} = await import('../../build-site.js')
      const settings = {title: flags['site-title'], program}
      return await writeCatalog(folder, source, async site => await buildSite(source, settings, site))
    }
    const {change, made} = await build().finally(shown.end)
    showNotes(made.warnings, this.argv)
    await showChange(change, {folder, format: flags.output, argv: this.argv})
  }
}
