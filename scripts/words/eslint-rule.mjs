// ESLint rule `house/words`: holds literals and comments to the list of banned phrases, and messages to their form.
import {bannedPhrases} from './find-phrases.mjs'

/** Names that may start a message, because names keep their case. */
const NAMES = [
  'Bearer',
  'CRDs?',
  'CrossplaneError',
  'Crossplane',
  'CustomResourceDefinition',
  'Deployment',
  'Docker',
  'Git',
  'Go',
  'HTTP',
  'JSON',
  'Kubernetes',
  'List',
  'Namespaced?',
  'Node',
  'Secrets?',
  'ServiceAccount',
  'TLS',
  'YAML',
  'Cluster',
  'ConfigMaps?',
  'Pods?',
  'Windows',
]
const STARTS_WITH_NAME = new RegExp(`^(?:${NAMES.join('|')})\\b`)

/** A summary of help is a label: capitalized, no period. A message is lowercase unless a name starts it. */
const FORMS = {
  message: (/** @type {string} */ text) => [
    ...(text.endsWith('.') && !text.endsWith('...') ? ['a message has no period at the end'] : []),
    ...(/^[A-Z][a-z]+ /.test(text) && !STARTS_WITH_NAME.test(text) ? ['a message starts in lowercase'] : []),
  ],
  summary: (/** @type {string} */ text) => [
    ...(text.endsWith('.') ? ['a summary has no period at the end'] : []),
    ...(/^[a-z]/.test(text) ? ['a summary is capitalized'] : []),
  ],
}

/** @type {import('eslint').Rule.RuleModule} */
export const words = {
  meta: {type: 'suggestion', schema: []},
  create(context) {
    const report = (/** @type {any} */ node, /** @type {string} */ message) =>
      context.report({loc: node.loc, message})
    const checkPhrases = (/** @type {any} */ node, /** @type {string} */ text) => {
      for (const {phrase, instead} of bannedPhrases(text)) {
        report(node, `"${phrase}" is not how users say it; write: ${instead}`)
      }
    }
    const checkForm = (/** @type {any} */ node, /** @type {'message' | 'summary'} */ form) => {
      for (const text of textsOf(node)) for (const fault of FORMS[form](text)) report(node, fault)
    }
    return {
      Program(program) {
        for (const comment of context.sourceCode.getAllComments()) {
          checkPhrases(comment, comment.value.replace(/\n\s*\*/g, ''))
        }
        return program
      },
      Literal(node) {
        if (typeof node.value === 'string' && node.value.includes(' ')) checkPhrases(node, node.value)
      },
      TemplateElement(node) {
        checkPhrases(node, node.value.cooked ?? '')
      },
      Property(node) {
        const name = node.key.type === 'Identifier' ? node.key.name : ''
        if (name === 'message' || name === 'summary') checkForm(node.value, name)
      },
      PropertyDefinition(node) {
        const name = node.key.type === 'Identifier' ? node.key.name : ''
        if (name === 'summary' && node.value) checkForm(node.value, 'summary')
      },
      VariableDeclarator(node) {
        if (node.id.type === 'Identifier' && node.id.name === 'message' && node.init)
          checkForm(node.init, 'message')
      },
      NewExpression(node) {
        const [, message] = node.arguments
        if (node.callee.type === 'Identifier' && node.callee.name === 'CrossplaneError' && message) {
          checkForm(message, 'message')
        }
      },
    }
  },
}

/**
 * The whole texts that an expression can be, `…` in place of what is computed.
 *
 * @param {any} node
 * @returns {string[]}
 */
function textsOf(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'TemplateLiteral')
    return [node.quasis.map((/** @type {any} */ part) => part.value.cooked).join('…')]
  if (node.type === 'ConditionalExpression') return [...textsOf(node.consequent), ...textsOf(node.alternate)]
  return []
}
