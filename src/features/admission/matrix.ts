import type { Row, Rows, Work } from '#testing/callers.ts';

const keepers: Row = { staff: ['office', 'admissionHead'] };
const readers: Row = { staff: ['office', 'admissionHead', 'principal'] };
const head: Row = { staff: ['admissionHead'] };

export const rows: Rows = {
  'GET /inquiry': readers,
  'GET /inquiry/count': readers,
  'GET /inquiry/export': readers,
  'GET /inquiry/view': readers,
  'POST /inquiry/view': readers,
  'DELETE /inquiry/view/:id': { ...readers, ids: 'other' },
  'GET /inquiry/lead-source': readers,
  'GET /inquiry/open-year': keepers,
  'GET /inquiry/check': keepers,
  'POST /inquiry': keepers,
  'POST /inquiry/assign': keepers,
  'POST /inquiry/send-many': keepers,
  'POST /inquiry/remind-many': keepers,
  'POST /inquiry/import': keepers,
  'GET /inquiry/import/template': keepers,
  'POST /inquiry/import/errors': keepers,
  'GET /inquiry/:id/record': { ...readers, ids: 'other' },
  'PUT /inquiry/:id': { ...keepers, ids: 'other' },
  'GET /inquiry/:id/history': { ...readers, ids: 'other' },
  'GET /inquiry/:id/sibling': { ...readers, ids: 'other' },
  'PUT /inquiry/:id/sibling': { ...keepers, ids: 'other' },
  'POST /inquiry/:id/follow-up': { ...keepers, ids: 'other' },
  'POST /inquiry/:id/send': { ...keepers, ids: 'other' },
  'POST /inquiry/:id/link': { ...keepers, ids: 'other' },
  'POST /inquiry/:id/slip': { ...keepers, ids: 'other' },
  'POST /inquiry/:id/revoke': { ...keepers, ids: 'other' },
  'POST /inquiry/:id/extend': { ...keepers, ids: 'other' },
  'POST /inquiry/:id/whatsapp': { ...keepers, ids: 'other' },
  'POST /inquiry/:id/lose': { ...keepers, ids: 'other' },
  'POST /inquiry/:id/reopen': { ...head, ids: 'other' },
  'GET /review': readers,
  'GET /review/count': readers,
  'GET /review/export': readers,
  'GET /review/view': readers,
  'POST /review/view': readers,
  'DELETE /review/view/:id': { ...readers, ids: 'other' },
  'POST /review/assign': keepers,
  'POST /review/remind-many': keepers,
  'GET /review/:id/record': { ...readers, ids: 'other' },
  'GET /review/:id/answers': { ...readers, ids: 'other' },
  'GET /review/:id/print': { ...readers, ids: 'other' },
  'GET /review/:id/file/:file': { ...readers, ids: 'other' },
  'GET /review/:id/document/:document/file': { ...readers, ids: 'other' },
  'POST /review/:id/start': { ...keepers, ids: 'other' },
  'POST /review/:id/section': { ...keepers, ids: 'other' },
  'POST /review/:id/remark': { ...keepers, ids: 'other', example: { section: 'Child', field: '' } },
  'DELETE /review/:id/remark/:remarkId': { ...keepers, ids: 'other' },
  'POST /review/:id/document/:document': { ...keepers, ids: 'other' },
  'POST /review/:id/correction': { ...keepers, ids: 'other' },
  'POST /review/:id/verify': { ...keepers, ids: 'other' },
  'POST /review/:id/again': { ...keepers, ids: 'other' },
  'POST /review/:id/reject': { ...head, ids: 'other' },
  'POST /review/:id/withdraw': { ...keepers, ids: 'other' },
  'POST /review/:id/waiver': { ...keepers, ids: 'other' },
  'DELETE /review/:id/waiver/:waived': { ...keepers, ids: 'other' },
  'POST /review/:id/note': { ...keepers, ids: 'other' },
  'POST /review/:id/message/:message/read': { ...keepers, ids: 'other' },
  'POST /review/:id/message/:message/reply': { ...keepers, ids: 'other' },
  'POST /review/:id/reveal': { ...readers, ids: 'other' },
};

const reader = {
  pages: [
    'admission/inquiry',
    'admission/inquiry/$inquiryID',
    'admission/review-list',
    'admission/review-list/$inquiryID',
  ],
};
const keeper = { ...reader, isChanging: true as const };

export const work: Work = { office: keeper, admissionHead: keeper, principal: reader };
