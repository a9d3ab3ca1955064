import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiForm, useApiForm, type Values } from '#kit/browser/ApiForm.tsx';
import { BirthDateField } from '#kit/browser/BirthDateField.tsx';
import { call } from '#kit/browser/call.ts';
import { LockedFacts, RadioField, SelectField, TextField, YesNoField } from '#kit/browser/fields.tsx';
import { fileAddress } from '#kit/browser/link.ts';
import { said } from '#kit/browser/text.ts';
import { UploadField } from '#kit/browser/UploadField.tsx';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { type Career, careerApi } from '../contract/career.ts';
import { formKeys } from '../contract/form.ts';
import { lockedParentFields, type OpenInquiry } from '../contract/inquiry.ts';
import {
  adoptionDocumentRequired,
  divorceDocumentRequired,
  familyPhotoRequired,
  internshipAnswers,
  occupations,
  type ParentInfo,
  parentInfoApi,
  parentInfoDraft,
} from '../contract/parent-info.ts';
import { formIdentity, lockedOf } from './form-values.ts';
import { getOpenInquiry } from './inquiry-state.ts';
import { usePageData } from './page-data.ts';
import { Section, StepBar, StepPage } from './StepPage.tsx';
import { useFormEnd } from './use-form-end.ts';
import { oddMobile } from './warnings.ts';

export async function load() {
  const [inquiry, answer, careers] = await Promise.all([
    getOpenInquiry(),
    call(parentInfoApi.get, {}),
    call(careerApi.sectors, {}),
  ]);
  const [saved] = answer.data.lstStudentAdmissionParentInfo;
  return { inquiry, saved, rowVersion: answer.data.rowVersion, sectors: careers.data.lstCareerMaster };
}

const fileFields = {
  family: 'FamilyImageIFormFile',
  divorce: 'DivorceDocumentIFormFile',
  adoption: 'AdoptionDocumentIFormFile',
} as const;

export function Page() {
  const { t } = useLingui();
  const { inquiry, saved, rowVersion, sectors } = usePageData<typeof load>();
  const { goTo, onRefused } = useFormEnd();
  const judge = (values: Values, files: Record<string, File>): FieldErrors => ({
    ...(saved?.familyImagePath || files[fileFields.family] ? {} : { [fileFields.family]: familyPhotoRequired }),
    ...(values.isParentDivorced === true && !values.divorceDocumentPath && !files[fileFields.divorce]
      ? { [fileFields.divorce]: divorceDocumentRequired }
      : {}),
    ...(values.isChildAdopted === true && !values.adoptionDocumentPath && !files[fileFields.adoption]
      ? { [fileFields.adoption]: adoptionDocumentRequired }
      : {}),
  });
  const asked = (who: 'father' | 'mother') => !inquiry.detailsNotApplicable.includes(who);
  return (
    <StepPage step={2} academicYear={inquiry.academicYear}>
      <ApiForm
        endpoint={parentInfoApi.save}
        initial={initialValues(inquiry, saved)}
        known={{ ...formIdentity(inquiry, rowVersion), detailsNotApplicable: inquiry.detailsNotApplicable }}
        judge={judge}
        announce={announcements}
        onRefused={onRefused}
        onDone={() => goTo('/admission2')}
        buttons={(isSending, isChanged) => (
          <StepBar
            previous="/admission"
            submit={<Trans>Save and Next</Trans>}
            isSending={isSending}
            status={saved && !isChanged && <Trans>Saved</Trans>}
          />
        )}
      >
        <Section title={<Trans>Family photo</Trans>}>
          <UploadField
            name={fileFields.family}
            hint={<Trans>Everyone who lives with the child; PNG, JPG or GIF, at most 2 MB</Trans>}
            stored={saved?.familyImagePath ? fileAddress(saved.familyImagePath) : undefined}
          />
        </Section>
        {asked('father') && (
          <Section title={<Trans>Father</Trans>} name={t`Father`}>
            <ParentFields who="father" owner={t`Father’s`} inquiry={inquiry} sectors={sectors} />
          </Section>
        )}
        {asked('mother') && (
          <Section title={<Trans>Mother</Trans>} name={t`Mother`}>
            <ParentFields who="mother" owner={t`Mother’s`} inquiry={inquiry} sectors={sectors} />
          </Section>
        )}
        <FamilyFacts saved={saved} />
        <Guardian sectors={sectors} />
      </ApiForm>
    </StepPage>
  );
}

interface PersonProps {
  who: 'father' | 'mother' | 'guardian';
  /** "Father’s", read before each label. */
  owner: string;
  sectors: Career[];
}

function ParentFields({
  who,
  owner,
  inquiry,
  sectors,
}: PersonProps & { who: 'father' | 'mother'; inquiry: OpenInquiry }) {
  const { t } = useLingui();
  const locked = lockedOf(
    inquiry,
    lockedParentFields.filter((name) => name.startsWith(who)),
  );
  const words = { FirstName: t`First Name`, LastName: t`Last Name`, MobileNo: t`Mobile No`, EmailID: t`Email ID` };
  const parts = Object.keys(words) as (keyof typeof words)[];
  const isLocked = (part: keyof typeof words) => locked.includes(`${who}${part}`);
  const facts = parts.filter(isLocked).map((part) => ({ label: words[part], value: String(inquiry[`${who}${part}`]) }));
  return (
    <>
      <LockedFacts facts={facts} source={<Trans>From your inquiry</Trans>} />
      <NameFields who={who} owner={owner} isLocked={isLocked} />
      <BirthDateField name={`${who}BirthDate`} owner={owner} />
      <TextField name={`${who}Qualification`} owner={owner} required width="medium" />
      <WorkFields who={who} owner={owner} sectors={sectors} isParent />
      <TextField name={`${who}Hobbies`} owner={owner} required />
    </>
  );
}

function NameFields({
  who,
  owner,
  isLocked,
}: {
  who: string;
  owner: string;
  isLocked: (part: 'FirstName' | 'LastName' | 'MobileNo' | 'EmailID') => boolean;
}) {
  const { t } = useLingui();
  const odd = oddMobile(t`Mobile numbers in India begin with 6, 7, 8 or 9. Please check this one.`);
  const common = { owner, required: true, width: 'medium' } as const;
  return (
    <>
      {!isLocked('FirstName') && <TextField name={`${who}FirstName`} {...common} />}
      {!isLocked('LastName') && <TextField name={`${who}LastName`} {...common} />}
      {!isLocked('MobileNo') && (
        <TextField name={`${who}MobileNo`} type="tel" inputMode="tel" warn={odd} hint={t`10 digits`} {...common} />
      )}
      {!isLocked('EmailID') && (
        <TextField name={`${who}EmailID`} type="email" inputMode="email" {...common} width={undefined} />
      )}
    </>
  );
}

/** Employment, sector and specialty, internship and field trip: the same questions for father, mother and guardian. */
function WorkFields({ who, owner, sectors, isParent = false }: PersonProps & { isParent?: boolean }) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const isHomemaker = values[`${who}Occupation`] === 'Homemaker';
  const organization = isParent ? `${who}OccupationOrganization` : `${who}OrganizationName`;

  const chooseOccupation = (occupation: string) => {
    if (occupation !== 'Homemaker') return;
    // A26: a homemaker has no sector, and is spared inventing an organization.
    if (!values[organization]) change(organization, 'Not applicable');
    if (!values[`${who}OccupationDtl`]) change(`${who}OccupationDtl`, 'Homemaker');
    change(`${who}CareerClusterID`, '');
    change(`${who}CareePathwayID`, '');
  };
  const required = isParent;
  return (
    <>
      <RadioField name={`${who}Occupation`} owner={owner} options={occupations} onChange={chooseOccupation} required />
      <TextField name={organization} owner={owner} required={required} />
      <TextField
        name={`${who}OccupationDtl`}
        owner={owner}
        required={required}
        long
        hint={t`What the work is, in a line or two`}
      />
      <CareerFields who={who} owner={owner} sectors={sectors} isDisabled={isHomemaker} />
      <RadioField
        name={`${who}CanOfferInternship`}
        owner={owner}
        label={t`Can you offer an internship?`}
        options={internshipAnswers}
        required={required}
        hint={<Trans>The internship program is for students from Grade 8 onwards.</Trans>}
      />
      <YesNoField
        name={`${who}CanVisitWorkplace`}
        owner={owner}
        label={t`Could students visit your workplace on a field trip?`}
        required={required}
      />
      {values[`${who}CanVisitWorkplace`] === true && <TextField name={`${who}WorkplaceInfo`} owner={owner} long />}
    </>
  );
}

/** The sector, and the specialties of that sector alone. The last choice wins, however the answers arrive. */
function CareerFields({ who, owner, sectors, isDisabled }: PersonProps & { isDisabled: boolean }) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const sector = String(values[`${who}CareerClusterID`] ?? '');
  const { specialties, isLoading, failed, retry } = useSpecialties(sector);
  const asOptions = (careers: Career[]) =>
    careers.map(({ careerID, careerName }) => ({ value: String(careerID), label: careerName }));
  return (
    <>
      <SelectField
        name={`${who}CareerClusterID`}
        owner={owner}
        options={asOptions(sectors)}
        disabled={isDisabled}
        required
        onChange={() => change(`${who}CareePathwayID`, '')}
      />
      <SelectField
        name={`${who}CareePathwayID`}
        owner={owner}
        options={asOptions(specialties)}
        disabled={isDisabled || isLoading || sector === ''}
        required
        placeholder={isLoading ? t`Loading specialties` : sector === '' ? t`Choose the sector first` : undefined}
      />
      {failed && (
        <p className="warning" role="status">
          <Trans>The specialties could not be loaded.</Trans>{' '}
          <button type="button" className="quiet-button" onClick={retry}>
            <Trans>Try again</Trans>
          </button>
        </p>
      )}
    </>
  );
}

const loaded = new Map<string, Career[]>();

function useSpecialties(sector: string) {
  const [result, setResult] = useState<{ sector: string; specialties: Career[]; failed: boolean }>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is asked for by counting it.
  useEffect(() => {
    if (sector === '' || loaded.has(sector)) return;
    let isCurrent = true;
    const settle = (specialties: Career[], failed: boolean) => isCurrent && setResult({ sector, specialties, failed });
    call(careerApi.specialties, { careerID: sector }).then(
      ({ data }) => {
        loaded.set(sector, data.lstCareerMaster);
        settle(data.lstCareerMaster, false);
      },
      () => settle([], true),
    );
    return () => {
      isCurrent = false;
    };
  }, [sector, tries]);

  const known = loaded.get(sector) ?? (result?.sector === sector ? result.specialties : []);
  const failed = result?.sector === sector && result.failed && !loaded.has(sector);
  return {
    specialties: known,
    failed,
    isLoading: sector !== '' && !loaded.has(sector) && !failed,
    retry: () => {
      setResult(undefined);
      setTries((count) => count + 1);
    },
  };
}

function FamilyFacts({ saved }: { saved: ParentInfo | undefined }) {
  const { t } = useLingui();
  const { values, change, choose } = useApiForm();
  // A No puts the stored document away for now; it is deleted only by saving, and a Yes asks for one again (A31).
  const answer = (path: string, file: string) => (isYes: boolean) => {
    if (isYes) return;
    change(path, '');
    choose(file, undefined);
  };
  const why = (
    <Trans>
      The school must know who may collect the child and sign for it. PNG or JPG, at most 2 MB; a PDF can be added on
      the last page under Other.
    </Trans>
  );
  return (
    <Section title={<Trans>About the family</Trans>}>
      <YesNoField name="parentWorkingatFS" required />
      {values.parentWorkingatFS === true && <TextField name="staffHRISEmployeeID" width="medium" />}
      <YesNoField name="isParentDivorced" required onChange={answer('divorceDocumentPath', fileFields.divorce)} />
      {values.isParentDivorced === true && (
        <UploadField
          name={fileFields.divorce}
          hint={why}
          stored={storedFile(values.divorceDocumentPath, saved?.divorceDocumentPath)}
        />
      )}
      <YesNoField name="isChildAdopted" required onChange={answer('adoptionDocumentPath', fileFields.adoption)} />
      {values.isChildAdopted === true && (
        <UploadField
          name={fileFields.adoption}
          hint={why}
          stored={storedFile(values.adoptionDocumentPath, saved?.adoptionDocumentPath)}
        />
      )}
      <TextField name="otherFamilyIssueDtl" label={t`Other family information the school should know`} long />
    </Section>
  );
}

const storedFile = (path: unknown, saved: string | null | undefined) =>
  path && saved ? fileAddress(saved) : undefined;

function Guardian({ sectors }: { sectors: Career[] }) {
  const { t } = useLingui();
  const { values } = useApiForm();
  const owner = t`Guardian’s`;
  return (
    <Section
      title={<Trans>Local guardian</Trans>}
      help={<Trans>Who looks after the child in this town, if it is not the parents.</Trans>}
      name={t`Guardian`}
    >
      <YesNoField name="isParentLocalGuardian" required />
      {values.isParentLocalGuardian === false && (
        <>
          <NameFields who="guardian" owner={owner} isLocked={() => false} />
          <TextField
            name="guardianRelationwithChild"
            width="medium"
            suggestions={['Grandfather', 'Grandmother', 'Uncle', 'Aunt', 'Brother', 'Sister']}
          />
          <TextField name="guardianChildLivingReason" long required />
          <TextField name="guardianQualification" owner={owner} width="medium" />
          <WorkFields who="guardian" owner={owner} sectors={sectors} />
          <GuardianAddress owner={owner} />
        </>
      )}
    </Section>
  );
}

function GuardianAddress({ owner }: { owner: string }): ReactNode {
  const common = { owner, required: true } as const;
  return (
    <>
      <TextField name="guardianStreetNo" {...common} width="short" />
      <TextField name="guardianAddress1" {...common} />
      <TextField name="guardianAddress2" owner={owner} />
      <TextField name="guardianCity" {...common} width="medium" />
      <TextField name="guardianState" {...common} width="medium" />
      <TextField name="guardianCountry" {...common} width="medium" />
      <TextField name="guardianPinCode" {...common} width="short" inputMode="numeric" />
    </>
  );
}

/** What stands in the fields at first: the saved answers, else what the inquiry knows; divorce and adoption start at No (A30). */
function initialValues(inquiry: OpenInquiry, saved: ParentInfo | undefined): Values {
  const names = Object.keys(parentInfoDraft.shape).filter(
    (name) => !(name in formKeys) && name !== 'detailsNotApplicable',
  );
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  const questions = Object.fromEntries(
    [
      'parentWorkingatFS',
      'isParentLocalGuardian',
      'fatherCanVisitWorkplace',
      'motherCanVisitWorkplace',
      'guardianCanVisitWorkplace',
    ].map((name) => [name, null]),
  );
  const start = { ...questions, isParentDivorced: false, isChildAdopted: false };
  const fromInquiry = Object.fromEntries(lockedParentFields.map((name) => [name, inquiry[name] ?? '']));
  const fromSaved =
    saved &&
    Object.fromEntries(
      names.map((name) => [
        name,
        saved[name as keyof ParentInfo] ??
          start[name as keyof typeof start] ??
          (typeof questions[name] === 'object' ? null : ''),
      ]),
    );
  return { ...empty, ...start, ...fromInquiry, ...fromSaved };
}

const announcements = (errors: FieldErrors) =>
  Object.values(fileFields)
    .flatMap((field) => errors[field] ?? [])
    .map((message) => ({ title: said(message) }));
