import { useLingui } from '@lingui/react/macro';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { importedOf, type Master } from '#kit/contract/master.ts';
import { english } from '#kit/contract/text.ts';
import { translate } from '../text.ts';

interface Props {
  master: Master;
  onClose: () => void;
}

/** Imports a file of a master's rows. */
export function MasterImport({ master, onClose }: Props) {
  const { t } = useLingui();
  return (
    <FileImport
      title={t`Import ${translate(master.plural)}`}
      fields={importedOf(master)}
      singular={master.singular}
      plural={master.plural}
      name={english(master.plural).replaceAll(' ', '-')}
      api={master.api}
      hiddenValues={{}}
      onClose={onClose}
    />
  );
}
