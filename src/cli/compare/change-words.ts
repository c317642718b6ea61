import type {Change, ChangeRule} from '../../usage/change.js'
import {jsonInWords} from '../shell/text/json-in-words.js'

/** Describes a change: of a field, what changes of it. */
export function changeWords(change: Change): string {
  const {rule, before, after} = change
  const words = WORDS[rule]
  const [old, now] = [before, after].map(value => (value === undefined ? '' : jsonInWords(value)))
  if (before !== undefined && after !== undefined) return `${words} from ${old} to ${now}`
  const value = before === undefined ? now : old
  return value === '' ? words : `${words}: ${value}`
}

const WORDS: Readonly<Record<ChangeRule, string>> = {
  'field-removed': 'field is removed',
  'field-added': 'field is added',
  'unknown-fields-dropped': 'fields without a schema are no longer kept',
  'unknown-fields-kept': 'fields without a schema are kept',
  'type-changed': 'type changes',
  'type-widened': 'type is widened',
  'null-rejected': 'null is no longer accepted',
  'null-accepted': 'null is accepted',
  'required-added': 'field becomes required',
  'required-removed': 'field is no longer required',
  'default-added': 'default is added',
  'default-changed': 'default changes',
  'default-removed': 'default is removed',
  'enum-narrowed': 'fewer values are accepted',
  'enum-widened': 'more values are accepted',
  'limit-narrowed': 'limit is narrowed',
  'limit-widened': 'limit is widened',
  'pattern-changed': 'pattern changes',
  'pattern-removed': 'pattern is removed',
  'format-changed': 'format changes',
  'condition-changed': 'condition changes',
  'condition-removed': 'condition is removed',
  'rule-added': 'rule is added',
  'rule-removed': 'rule is removed',
  immutable: 'field becomes immutable',
  'list-type-changed': 'list type changes',
  unread: 'schema is nested too deeply to be compared',
  'kind-removed': 'kind is removed',
  'kind-added': 'kind is added',
  'kind-renamed': 'kind is renamed',
  'names-changed': 'other names of the kind change',
  'scope-changed': 'scope changes',
  'activation-changed': 'activation changes',
  'version-removed': 'version is removed',
  'version-added': 'version is added',
  'version-served': 'version is served again',
  'version-unserved': 'version is no longer served',
  'version-deprecated': 'version is deprecated',
  'storage-changed': 'stored version changes',
  'conversion-changed': 'conversion changes',
  'subresource-added': 'subresource is added',
  'subresource-changed': 'subresource changes',
  'subresource-removed': 'subresource is removed',
  'connection-key-added': 'connection key is added',
  'connection-key-removed': 'connection key is removed',
  'package-added': 'package is added',
  'package-removed': 'package is removed',
  'permission-added': 'permission is added',
  'permission-removed': 'permission is removed',
  'image-added': 'image is added',
  'image-removed': 'image is removed',
  'image-changed': 'image changes',
  'capability-added': 'capability is added',
  'capability-removed': 'capability is removed',
  'dependency-added': 'dependency is added',
  'dependency-removed': 'dependency is removed',
  'dependency-changed': 'dependency changes',
  'function-added': 'function is called',
  'function-removed': 'function is no longer called',
  'composition-added': 'Composition is added',
  'composition-removed': 'Composition is removed',
}
