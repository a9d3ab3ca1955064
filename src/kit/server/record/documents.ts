import { type DocumentApi, needsExpiry, noFile, shownDocument } from '#kit/contract/documents.ts';
import { AppError, fieldRefusal, notFoundMessage, problemMessage, staleMessage } from '#kit/contract/errors.ts';
import { inactiveMessage } from '#kit/contract/field.ts';
import type { Text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { type FileOwner, readReferredFile, removeFile, saveFile } from '#kit/server/files/files.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';

/** A type that a record can have a document of. */
export interface DocumentType {
  id: number;
  name: string;
  hasExpiry: boolean;
  /** Needed, and without a verified or waiting document. */
  isMissing: boolean;
}

interface ListedDocument {
  id: number;
  version: number;
  type: string;
  issued_on: string | null;
  expires_on: string | null;
  days_left: number | null;
  is_expiring: boolean;
  status: string;
  decider: string | null;
  remark: string;
  stored_at: Date;
}

interface Decision {
  status: 'Waiting' | 'Verified' | 'Rejected';
  decided_by: number | null;
  decided_at: Date | null;
}

interface NewDocument extends Decision {
  typeId: number;
  file_id: string;
  issued_on: string | null;
  expires_on: string | null;
}

/** The statements on the documents of one kind of record, and who may reach them. */
export interface DocumentOwner {
  /** The kind of record in the audit log; its acts are "staff.document-added" and so on. */
  entity: string;
  /** Whose files they are. */
  fileOwner: (id: number) => FileOwner;
  /** Throws `not_found`, or says whether the user keeps the record: what a keeper adds is verified. */
  see: (ctx: UserContext, id: number) => Promise<{ isKept: boolean }>;
  list: (ctx: UserContext, id: number) => Promise<ListedDocument[]>;
  types: (ctx: UserContext, id: number) => Promise<DocumentType[]>;
  /** A document of this record, locked until the transaction ends if `locks`. */
  find: (
    ctx: UserContext,
    id: number,
    document: number,
    locks: boolean,
  ) => Promise<{ file_id: string; status: string; version: number; type: string } | undefined>;
  insert: (ctx: UserContext, id: number, row: NewDocument) => Promise<unknown>;
  decide: (ctx: UserContext, document: number, row: Decision & { remark: string }) => Promise<unknown>;
  remove: (ctx: UserContext, document: number) => Promise<unknown>;
  /** The refusal to remove a verified document, for those who do not keep the record. */
  isVerified: Text;
}

type Handlers = { [Name in keyof DocumentApi]: Handler<DocumentApi[Name]> };

/** The operations of `documentsOf` on one kind of record. */
export function documentHandlers(owner: DocumentOwner): Handlers {
  const { entity } = owner;
  const get = async (ctx: UserContext, id: number, document: number, locks = false) => {
    const found = await owner.find(ctx, id, document, locks);
    if (!found) throw new AppError('not_found', notFoundMessage);
    return found;
  };
  const auditAct = (ctx: UserContext, act: string, entityId: number, details: Record<string, string>) =>
    audit(ctx, { action: `${entity}.document-${act}`, entity, entityId, details });
  const decidedNow = ({ user, now }: UserContext) => ({ decided_by: user.staffId, decided_at: now() });

  return {
    documents: async (ctx, { id }) => {
      await owner.see(ctx, id);
      const rows = await owner.list(ctx, id);
      const types = await owner.types(ctx, id);
      return {
        documents: rows.map((row) =>
          toOutput(shownDocument, row, { decidedBy: row.decider ?? '', addedAt: row.stored_at.toISOString() }),
        ),
        types: types.map(({ id, name, hasExpiry }) => ({ id, name, hasExpiry })),
        missing: types.filter(({ isMissing }) => isMissing).map(({ name }) => name),
      };
    },

    addDocument: async (ctx, { id, documentTypeId, issuedOn, expiresOn }) => {
      const { isKept } = await owner.see(ctx, id);
      const type = (await owner.types(ctx, id)).find((offered) => offered.id === documentTypeId);
      if (!type) throw fieldRefusal('documentTypeId', inactiveMessage);
      const { file } = ctx.uploads;
      const fields = {
        ...(type.hasExpiry && !expiresOn && { expiresOn: needsExpiry }),
        ...(!file && { file: noFile }),
      };
      if (!file || Object.keys(fields).length > 0) throw new AppError('invalid', problemMessage, { fields });

      await owner.insert(ctx, id, {
        typeId: type.id,
        file_id: await saveFile(ctx, owner.fileOwner(id), 'file', file),
        issued_on: issuedOn || null,
        expires_on: expiresOn || null,
        ...(isKept
          ? { status: 'Verified', ...decidedNow(ctx) }
          : { status: 'Waiting', decided_by: null, decided_at: null }),
      });
      await auditAct(ctx, isKept ? 'added' : 'handed-in', id, { document: type.name });
      return {};
    },

    viewDocument: async (ctx, { id, document }) => {
      await owner.see(ctx, id);
      const found = await get(ctx, id, document);
      await auditAct(ctx, 'viewed', id, { document: found.type });
      return readReferredFile(ctx, found.file_id);
    },

    decideDocument: async (ctx, { id, document, version, isVerified, remark }) => {
      const { isKept } = await owner.see(ctx, id);
      if (!isKept) throw new AppError('not_found', notFoundMessage);
      const found = await get(ctx, id, document, true);
      if (found.version !== version || found.status !== 'Waiting') throw new AppError('stale', staleMessage);
      await owner.decide(ctx, document, {
        status: isVerified ? 'Verified' : 'Rejected',
        remark,
        ...decidedNow(ctx),
      });
      const details = { document: found.type, ...(remark && { remark }) };
      await auditAct(ctx, isVerified ? 'verified' : 'rejected', id, details);
      return {};
    },

    removeDocument: async (ctx, { id, document }) => {
      const { isKept } = await owner.see(ctx, id);
      const found = await get(ctx, id, document, true);
      if (found.status === 'Verified' && !isKept) throw new AppError('conflict', owner.isVerified);
      await owner.remove(ctx, document);
      await removeFile(ctx, found.file_id);
      await auditAct(ctx, 'removed', id, { document: found.type });
      return {};
    },
  };
}
