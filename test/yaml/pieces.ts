/** Texts that mean something to a reader of YAML, alone or beside others, so that text made of them is seldom harmless. */
export const PIECES: readonly string[] = [
  ...Array.from('-?:#!&*|>%@`"\'{}[],=~\\_+.018abefoxBEOXTZé値😀'),
  ...Array.from(
    ' \n\r\t\0\x07\x1b\x7f\x80\x85\xa0\u200b\u2028\u2029\u202e\u2067\u3000\ufeff\ufffe\uffff\u{1fffe}\u{10ffff}',
  ),
  ...['- ', '? ', ': ', ' #', '<<', '---', '...', '\n\n', '\n ', '\n\t', '  ', '\r\n'],
  ...['word', 'yes', 'null', 'inf', 'nan', '.inf', '-5', '9'.repeat(320), 'y'.repeat(1020)],
  ...['2001-01-01', '2001-1-1', '2001-02-29', '2004-02-29', '12:30', '23:59:59', '24:00:00', '+24:00'],
]
