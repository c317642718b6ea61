// ESLint rule `house/names`: a name says what the value is. It reads the scopes that ESLint has anyway; naming-convention of
// typescript-eslint took a third of the time of all rules for this.

/** Words that say how a value came about. */
const VAGUE = new Set(['given', 'known', 'found', 'held', 'meant', 'written', 'each'])

/** @type {import('eslint').Rule.RuleModule} */
export const names = {
  meta: {type: 'suggestion', schema: []},
  create(context) {
    const check = (/** @type {any} */ {name, loc}) => {
      if (VAGUE.has(name)) context.report({loc, message: `"${name}" does not say what the value is`})
    }
    return {
      'Program:exit'(program) {
        for (const {variables} of context.sourceCode.scopeManager.scopes) {
          for (const {defs} of variables)
            for (const {type, name} of defs) if (VALUES.includes(type)) check(name)
        }
        return program
      },
      PropertyDefinition({key}) {
        if (key.type === 'Identifier') check(key)
      },
    }
  },
}

/** What scopes call variables, parameters and functions. */
const VALUES = ['Variable', 'Parameter', 'FunctionName']
