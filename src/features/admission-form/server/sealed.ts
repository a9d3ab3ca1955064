import { notUnder, type SealedColumn } from '#kit/server/security/sealed-column.ts';
import { aadhaarHash } from './aadhaar.ts';

/** The encrypted columns of forms. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    select: `select inquiry_id::text as key, 'admission_basic_info.aadhaar:' || inquiry_id as place, aadhaar as sealed
      from admission_basic_info where ${notUnder('aadhaar')}`,
    update: `update admission_basic_info set aadhaar = $1, aadhaar_hash = $4 where inquiry_id = $2::integer and aadhaar = $3`,
    further: (ring, plain) => aadhaarHash(ring, plain.toString()),
  },
  {
    select: `select inquiry_id::text as key, 'admission_health.answers:' || inquiry_id as place, answers as sealed
      from admission_health where ${notUnder('answers')}`,
    update: `update admission_health set answers = $1 where inquiry_id = $2::integer and answers = $3`,
  },
  {
    select: `select id::text as key, 'admission_submission.copy:' || inquiry_id as place, copy as sealed
      from admission_submission where ${notUnder('copy')}`,
    update: `update admission_submission set copy = $1 where id = $2::integer and copy = $3`,
  },
  {
    select: `select inquiry_id || ' ' || page as key, 'admission_draft.answers:' || inquiry_id || ':' || page as place,
      answers as sealed from admission_draft where answers is not null and ${notUnder('answers')}`,
    update: `update admission_draft set answers = $1 where inquiry_id || ' ' || page = $2 and answers = $3`,
  },
  {
    select: `select id::text as key, 'admission_message.text:' || inquiry_id as place, text as sealed
      from admission_message where ${notUnder('text')}`,
    update: `update admission_message set text = $1 where id = $2::integer and text = $3`,
  },
  {
    select: `select id::text as key, 'admission_message.reply:' || id as place, reply as sealed
      from admission_message where reply is not null and ${notUnder('reply')}`,
    update: `update admission_message set reply = $1 where id = $2::integer and reply = $3`,
  },
];
