import type {Config} from '@oclif/core/config'
import type {TemplateChecks} from '../../package/lint.js'
import type {LazyCommand} from '../shell/lazy-commands.js'

/** The command `template lint`, whose class has the checks of templates. */
interface TemplateLint {
  readonly checkTemplates: TemplateChecks
}

/** Returns the checks of the command `template lint`, which are imported when a package has templates; undefined without it. */
export function templateChecks(config: Config): TemplateChecks | undefined {
  const command = config.findCommand('template:lint')
  if (command === undefined) return undefined
  return async (templates, ports) => {
    const loaded = (await command.load()) as unknown as TemplateLint | LazyCommand
    const lint = 'checkTemplates' in loaded ? loaded : await loaded.load<TemplateLint>()
    return await lint.checkTemplates(templates, ports)
  }
}
