import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** A compression dictionary: text that nearly every record contains. */
const COMMON = Buffer.from(
  '"subject","local","key","entities":["principal":null,"createdAt":1,"commit":"' +
    '{"schema":1,"address":"","logicalSessionId":"","scope":["local"],"intent":"","revision":1,"waves":[{"revision":1,' +
    '"generation":1,"picks":[{"catalog":"","digest":"","lens":"all","entities":[""]}]}],"row":{"generation":1,"key":{' +
    '"tenant_scope":["local"],"entry_id":"","catalog_cgs_hash":"","entities":[""],"principal":null,' +
    '"plugin_generation_id":"teaching-2","logical_session_id":""},"promptHash":"","session":"","openedAt":1,' +
    '"expiresAt":1},"createdAt":1,"expiresAt":1,"commit":""}',
)
/** A window of 2 KiB: about the size of one record. */
const WINDOW = { windowBits: 11, dictionary: COMMON }

/** Compresses long-lived, rarely read text to about a third of its memory: one byte per character. */
export function packed(text: string): string {
  return deflateRawSync(text, { ...WINDOW, memLevel: 4 }).toString('latin1')
}

export function unpacked(bytes: string): string {
  return inflateRawSync(Buffer.from(bytes, 'latin1'), WINDOW).toString()
}
