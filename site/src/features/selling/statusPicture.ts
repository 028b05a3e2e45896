import { type ApiClient, unwrap } from '../../lib/api.ts';

type Listing = { id: string; name: string };

/**
 * Makes the picture of an own listing for a status, and hands it to the phone's share sheet, or
 * saves it where there is none for files. Throws an `ApiError`.
 */
export async function shareStatus(
  api: ApiClient,
  { id, name }: Listing,
  connection: string,
): Promise<void> {
  const made = api.products[':id']['status-picture'].$post({ param: { id } });
  const { path } = await unwrap(made, connection);
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(connection);
  const file = new File([await answer.blob()], 'marche54.jpg', { type: 'image/jpeg' });
  if (navigator.canShare?.({ files: [file] }))
    try {
      return await navigator.share({ files: [file], title: name });
    } catch (error) {
      if ((error as Error).name === 'AbortError') return;
      // The tap was too long ago for the sheet: the file is saved instead.
    }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
