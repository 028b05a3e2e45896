import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Namespace } from '../../locales/keys.ts';

/** A specified sentence: its dictionary key and its English text. */
export type Specified = readonly [namespace: Namespace, key: string, english: string];

/**
 * Strings of product §8 and the generic ones of §5, word for word, with `{{…}}` for placeholders.
 * Those about a photo begin longer sentences (`tests/http/uploads.test.ts`).
 */
export const specified: readonly Specified[] = [
  // Input (product §5)
  ['validation', 'required', 'This field is required'],
  ['validation', 'email', 'Please enter a valid email address'],
  ['validation', 'tooShort', 'Must be at least {{min}} characters long'],
  ['validation', 'tooLong', 'Must be no more than {{max}} characters long'],
  ['validation', 'tooSmall', 'Must be at least {{min}}'],
  ['validation', 'tooBig', 'Must be no more than {{max}}'],
  ['validation', 'phone', 'Please enter a valid Cameroon phone number (e.g., +237 6XX XXX XXX)'],
  ['validation', 'url', 'Please enter a valid URL'],
  ['validation', 'positive', 'Must be a positive number'],
  ['validation', 'whole', 'Must be a whole number'],
  [
    'validation',
    'strongPassword',
    'Password must be at least 8 characters with one uppercase letter, one lowercase letter and one number',
  ],
  ['validation', 'imagesRequired', 'At least one image is required'],
  ['validation', 'imagesTooMany', 'Maximum 5 images allowed'],
  ['validation', 'imagesTooManyWizard', 'Too many images: You can upload a maximum of 5 images.'],
  ['validation', 'imagesNotImages', 'All files must be images'],
  // Contact
  ['shop', 'contact.failed', 'Unable to contact seller right now. Please try again later.'],
  ['errors', 'contact.failed', 'Unable to contact seller right now. Please try again later.'],
  ['errors', 'contact.rateLimited', 'Rate limit exceeded. Please try again later.'],
  ['errors', 'contact.lookupFailed', 'Failed to get seller contact information'],
  ['errors', 'contact.notAvailable', 'Seller contact not available'],
  // Home
  ['home', 'grid.error', 'Error loading products: {{message}}'],
  ['home', 'grid.errorDefault', 'Failed to fetch data.'],
  // Admin sign-in and gate
  ['admin', 'auth.denied', 'Access denied: You do not have admin privileges'],
  ['errors', 'auth.notAdmin', 'Access denied: You do not have admin privileges'],
  [
    'admin',
    'auth.restricted',
    'Admin registration is restricted. Please contact the system administrator.',
  ],
  [
    'errors',
    'auth.adminRegistrationRestricted',
    'Admin registration is restricted. Please contact the system administrator.',
  ],
  ['admin', 'auth.unknownError', 'An unknown error occurred'],
  ['admin', 'auth.success', 'Successfully logged in.'],
  ['admin', 'gate.verificationFailed', 'Admin verification failed: {{message}}'],
  ['admin', 'gate.failed', 'Failed to verify admin access'],
  ['admin', 'gate.deniedTitle', 'Access Denied'],
  ['admin', 'auth.loggedOut', 'Successfully logged out'],
  ['admin', 'auth.signOutFailed', 'Error signing out: {{message}}'],
  // Revalidation and approval
  ['admin', 'integrity.rechecked', 'Product revalidated and approved successfully'],
  ['admin', 'integrity.stillIncomplete', 'Product revalidated but still incomplete'],
  ['admin', 'integrity.recheckFailed', 'Failed to revalidate product'],
  ['admin', 'integrity.approved', 'Product approved despite incomplete data'],
  ['admin', 'integrity.approveFailed', 'Failed to approve product'],
  // Pending list
  ['admin', 'pending.loadFailed', 'Failed to load pending products'],
  ['admin', 'pending.approved', 'Product approved and added to queue successfully'],
  ['admin', 'pending.rejected', 'Product has been rejected'],
  ['admin', 'pending.approveFailed', 'Failed to approve product: {{reason}}'],
  ['admin', 'pending.rejectFailed', 'Failed to reject product: {{reason}}'],
  ['admin', 'pending.queueFailed', 'Failed to add to queue: {{message}}'],
  ['admin', 'pending.fetchFailed', 'Failed to fetch product: {{message}}'],
  ['errors', 'queue.pushFailed', 'Failed to add product to queue'],
  // Dashboard
  ['admin', 'dashboard.error', 'Error loading dashboard data: {{message}}'],
  // Product submission
  ['seller', 'wizard.failed.title', 'Submission failed'],
  ['seller', 'wizard.failed.text', 'Failed to submit product'],
  ['seller', 'wizard.success.title', 'Product submitted successfully!'],
  ['seller', 'wizard.success.admin', 'Product has been created and approved.'],
  ['seller', 'wizard.success.seller', 'Your product has been submitted for review.'],
  // Slots
  ['admin', 'slots.updated', 'Slot #{{slot}} updated successfully'],
  ['admin', 'slots.updateFailed', 'Failed to update slot'],
  ['admin', 'slots.removed', 'Slot #{{slot}} removed successfully'],
  ['admin', 'slots.paused', 'Slot #{{slot}} paused successfully'],
  ['admin', 'slots.resumed', 'Slot #{{slot}} resumed successfully'],
  ['admin', 'slots.removeFailed', 'Failed to remove slot: {{reason}}'],
  ['admin', 'slots.pauseFailed', 'Failed to pause slot: {{reason}}'],
  ['admin', 'slots.resumeFailed', 'Failed to resume slot: {{reason}}'],
  ['admin', 'slots.error', 'Error loading slots: {{reason}}'],
  ['admin', 'slots.adminDataFailed', 'Failed to load admin data'],
  // Queue
  ['admin', 'queue.fetchFailed', 'Failed to fetch queue: {{reason}}'],
  ['admin', 'queue.noSlots', 'No available slots'],
  ['errors', 'queue.noneAvailable', 'No available slots'],
  ['admin', 'queue.assigned', 'Product assigned to slot #{{slot}}'],
  ['admin', 'queue.notInDatabase', 'Product not found in database'],
  ['errors', 'queue.notFound', 'Product not found in database'],
  ['admin', 'queue.movedUp', 'Product moved up in queue'],
  ['admin', 'queue.movedDown', 'Product moved down in queue'],
  ['admin', 'queue.movedTop', 'Product moved to top of queue'],
  ['admin', 'queue.removed', 'Product removed from queue and deleted'],
  ['admin', 'queue.deletedOnly', 'Product deleted (was not in queue system)'],
  ['admin', 'queue.synced', 'Product synced to queue system. Try again.'],
  // Sellers and cleanup
  ['admin', 'users.loadFailed', 'Failed to load sellers'],
  ['admin', 'users.suspendedOk', 'Seller suspended successfully'],
  ['admin', 'users.suspendFailed', 'Failed to suspend seller'],
  ['admin', 'users.unsuspendedOk', 'Seller unsuspended successfully'],
  ['admin', 'users.unsuspendFailed', 'Failed to unsuspend seller'],
  ['admin', 'users.deletedOk', 'Seller deleted successfully'],
  ['admin', 'users.deleteFailed', 'Failed to delete seller'],
  ['admin', 'users.notifiedOk', 'Notification sent successfully'],
  ['admin', 'users.notifyFailed', 'Failed to send notification'],
  ['admin', 'cleanup.completed', 'Cleanup completed: {{products}} and {{images}} removed'],
  ['admin', 'cleanup.failed', 'Failed to run cleanup operation'],
  ['admin', 'cleanup.statsFailed', 'Failed to load cleanup statistics'],
  // Seller auth and verification
  ['seller', 'auth.failed', 'Authentication failed'],
  ['seller', 'auth.createdToast', 'Account created successfully!'],
  ['seller', 'auth.createdTitle', 'Account Created Successfully!'],
  ['seller', 'auth.welcomeBack', 'Welcome back!'],
  ['seller', 'profile.failedTitle', 'Profile Setup Failed'],
  ['seller', 'profile.failed', 'Profile creation failed: {{message}}'],
  ['seller', 'dashboard.productsFailed', 'Error loading products'],
  ['seller', 'dashboard.tryLater', 'Please try again later.'],
  ['seller', 'dashboard.sellerFailed', 'Failed to load seller information. Please try again.'],
  ['seller', 'verification.success.title', 'Email verified successfully!'],
  ['seller', 'verification.sent', 'Verification email sent!'],
  ['seller', 'verification.resendFailed', 'Failed to resend email'],
  ['errors', 'products.notFound', 'Product not found'],
  ['shop', 'states.notFound.title', 'Product not found'],
  // Credits and their purchases
  ['errors', 'credits.neededForPost', 'You need 2 credits to create a post.'],
  ['errors', 'credits.transactionFailed', 'Failed to process credit transaction.'],
  [
    'errors',
    'payments.weeklyLimit',
    `You can only purchase $${'{{limit}}'} worth of credits per week.`,
  ],
  ['errors', 'payments.failed', 'Purchase failed'],
  ['mail', 'purchaseFailed.subject', 'Purchase failed'],
  ['mail', 'paymentInitiated.subject', 'Payment initiated'],
  ['mail', 'creditsPurchased.subject', 'Purchase successful!'],
  ['mail', 'creditsPurchased.line1', '{{credits}} credits have been added to your account.'],
  // Images
  ['common', 'product.imageUnavailable', 'Image unavailable'],
  // Health
  ['errors', 'health.databaseConnectionFailed', 'Database connection failed'],
  ['errors', 'health.storageUnavailable', 'Storage service unavailable'],
  ['errors', 'health.rlsFailed', 'RLS policy check failed'],
  ['errors', 'health.authenticationRequired', 'User authentication required'],
  ['errors', 'health.orphanedSlots_other', '{{count}} orphaned slots detected'],
  ['errors', 'health.integrityFailed', 'Data integrity check failed'],
  ['errors', 'health.performanceFailed', 'Performance check failed'],
];

/** The same for Connect and the shell, whose browser tests read the screens in both languages. */
export const specifiedOfConnect: readonly Specified[] = [
  // Connect: the feed, a post, its dialogs
  ['connect', 'frame.buy', 'Buy'],
  ['connect', 'frame.signIn', 'Sign In'],
  ['connect', 'feed.empty', 'No posts found'],
  ['connect', 'feed.createFirst', 'Create First Post'],
  ['connect', 'feed.failed', 'Failed to load posts. Please refresh the page.'],
  ['connect', 'feed.yourPost', 'Your Post'],
  ['connect', 'post.owner.title', 'Your Post'],
  ['connect', 'post.owner.activated', 'Post activated successfully'],
  ['connect', 'post.owner.closed', 'Post closed successfully'],
  ['connect', 'post.owner.failed', 'Failed to update post status.'],
  ['connect', 'post.connect.opened', 'WhatsApp Opened'],
  ['connect', 'post.connect.short', 'Insufficient credits'],
  ['connect', 'post.connect.failed', 'Failed to process credit transaction.'],
  ['connect', 'post.connect.authTitle', 'Authentication Required'],
  ['connect', 'update.title', 'Add Update'],
  ['connect', 'update.failed', 'Failed to add update. Please try again.'],
  ['connect', 'update.short', 'Insufficient credits'],
  ['connect', 'auth.title', 'Authentication Required'],
  ['connect', 'create.title', 'Create Service Request'],
  ['connect', 'create.addTag', 'Add'],
  ['connect', 'create.missing.title', 'Missing information'],
  ['connect', 'create.missing.text', 'Please fill in all required fields.'],
  ['connect', 'create.insufficient.title', 'Insufficient credits'],
  ['connect', 'create.insufficient.text', 'You need 2 credits to create a post.'],
  ['connect', 'create.spendFailed', 'Failed to spend credits'],
  ['connect', 'create.transactionFailed', 'Failed to process credit transaction.'],
  ['connect', 'buy.title', 'Buy Credits'],
  ['connect', 'buy.success.title', 'Purchase successful!'],
  ['connect', 'buy.success.text', '{{credits}} credits have been added to your account.'],
  ['connect', 'buy.failed.title', 'Purchase failed'],
  ['connect', 'buy.initiated.title', 'Payment initiated'],
  ['connect', 'buy.limit.title', 'Weekly limit reached'],
  ['connect', 'buy.limit.text', `You can only purchase $${'{{limit}}'} worth of credits per week.`],
  // The shell
  ['common', 'language.name', 'English'],
  ['common', 'errorScreen.title', 'Something went wrong'],
  [
    'common',
    'errorScreen.text',
    'We encountered an unexpected error. Our team has been notified and is working on a fix.',
  ],
  ['common', 'errorScreen.tryAgain', 'Try Again'],
  ['common', 'errorScreen.goHome', 'Go Home'],
  ['common', 'errorScreen.report', 'Report this issue'],
  ['common', 'routerFallback.title', 'Unexpected Application Error!'],
];

/**
 * Screens that do not exist yet: none. `locales.test.ts` fails if a test reaches a listed string,
 * so no entry outlives its reason.
 */
export const later: readonly RegExp[] = [];

/** Strings of existing screens that no test reaches yet: none. */
export const awaited: readonly string[] = [];

const folder = new URL('..', import.meta.url).pathname;
const own = /[\\/](locales\.test\.ts|specified\.ts)$/;

function testSources(): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /\.tsx?$/.test(entry.name),
  );
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !own.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/**
 * Specified strings that no test reaches. A test reaches one by its text (the longest part between
 * placeholders), by `namespace:key`, by the dictionary (`say.seller.auth.failed`), or, for an
 * error, by its quoted code.
 */
export function unreached(sources = testSources(), strings = specified): string[] {
  return strings
    .filter(([namespace, key, english]) => {
      const base = key.replace(/_(zero|one|two|few|many|other)$/, '');
      const words =
        english
          .split(/\{\{\w+\}\}/)
          .sort((a, b) => b.length - a.length)[0]
          ?.trim() ?? '';
      const ways = [
        `${namespace}:${base}`,
        `.${namespace}.${base}`,
        ...(words.length >= 12 ? [words] : []),
        ...(namespace === 'errors' ? [`'${base}'`] : []),
      ];
      return !ways.some((way) => sources.includes(way));
    })
    .map(([namespace, key]) => `${namespace}:${key}`);
}
