import type {LogEntry} from '../../../reconcile/log.js'
import type {LOG_FORMATS} from '../../flags/controller.js'
import {plainText} from './plain-text.js'

/** Formats an entry of a log as one line. `time` is in the format of Kubernetes. */
export function formatLogEntry(
  {level, message, fields = {}}: LogEntry,
  format: (typeof LOG_FORMATS)[number],
  time: string,
): string {
  if (format === 'json') return JSON.stringify({time, level, message, ...fields})
  const parts = Object.entries(fields).map(([key, value]) => ` ${key}=${plainText(String(value))}`)
  return `${time} ${level.toUpperCase()} ${plainText(message)}${parts.join('')}`
}
