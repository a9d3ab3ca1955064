import { Trans, useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { ChoiceRow, ChoiceRows } from '#kit/browser/form/choices.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { attachedApi } from '../contract/attached.ts';

type Tags = OutputOf<typeof attachedApi.attached>['tags'];

/** Files and tags of a note; empty where it has neither and the reader may not add any. */
export function AttachedCard({ id }: { id: number }) {
  const { t } = useLingui();
  const { data } = useRead(attachedApi.attached, { id });
  if (!data) return null;
  const { files, tags, offered, mayAddFile } = data;
  if (files.length + tags.length === 0 && !mayAddFile) return null;
  const before = tags.map((tag) => tag.id);
  return (
    <RecordCard
      title={<Trans>Files and tags</Trans>}
      actions={
        <>
          {mayAddFile && files.length < 5 && (
            <FormOpener title={t`Add a file`} label={<Trans>Add a file</Trans>}>
              {(onClose) => (
                <RecordForm
                  title={t`Add a file`}
                  about={t`Readers of the text can see it. It is kept with the note.`}
                  endpoint={attachedApi.addFile}
                  initial={{}}
                  hiddenValues={{ id }}
                  onClose={onClose}
                >
                  <UploadField name="file" />
                </RecordForm>
              )}
            </FormOpener>
          )}
          {offered.length > 0 && (
            <FormOpener title={t`Edit the tags`} label={<Trans>Tags</Trans>}>
              {(onClose) => (
                <RecordForm
                  title={t`Edit the tags`}
                  endpoint={attachedApi.saveTags}
                  initial={{ tags: before }}
                  hiddenValues={{ id, before }}
                  onClose={onClose}
                >
                  <Choices tags={[...tags.filter((tag) => !offered.some((one) => one.id === tag.id)), ...offered]} />
                </RecordForm>
              )}
            </FormOpener>
          )}
        </>
      }
    >
      {files.length > 0 && (
        <ul>
          {files.map((file) => (
            <li key={file.id}>
              <a href={`/api/observation-note/${id}/file/${file.id}`} target="_blank" rel="noreferrer">
                {file.name}
              </a>
            </li>
          ))}
        </ul>
      )}
      <p>
        {tags.map((tag) => (
          <span key={tag.id}>
            <Chip>{tag.name}</Chip>{' '}
          </span>
        ))}
        {files.length + tags.length === 0 && (
          <span className="soft">
            <Trans>None.</Trans>
          </span>
        )}
      </p>
    </RecordCard>
  );
}

function Choices({ tags }: { tags: Tags }) {
  const { values, change } = useApiForm();
  const chosen = values.tags as number[];
  return (
    <ChoiceRows columns="many">
      {tags.map(({ id, name }) => (
        <ChoiceRow
          key={id}
          type="checkbox"
          id={`tags-${id}`}
          name="tags"
          label={name}
          checked={chosen.includes(id)}
          onChange={(isTicked) => change('tags', isTicked ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
    </ChoiceRows>
  );
}
