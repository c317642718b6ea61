import {boolean, string} from '@oclif/core/flags'

/** Flags of `package lint`. */
export const lintFlags = {
  strict: boolean({helpGroup: 'OUTPUT', summary: 'Exit with 1 for warnings, too'}),
  explain: string({
    helpGroup: 'OUTPUT',
    helpValue: 'RULE',
    summary: 'Explain a rule, with examples, instead of linting a package',
  }),
}
