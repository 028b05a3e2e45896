import { Hono } from 'hono';
import { accountRoutes } from './account/routes.ts';
import { alertRoutes } from './alerts/routes.ts';
import { adminAuditRoutes } from './audit/routes.ts';
import type { Auth } from './auth/auth.ts';
import { authRoutes } from './auth/routes.ts';
import { secondFactorRoutes } from './auth/secondFactor/routes.ts';
import { teamRoutes } from './auth/team/routes.ts';
import { adminChatRoutes, chatRoutes, statusPictureRoutes } from './chats/routes.ts';
import { adminConnectRoutes } from './connect/adminRoutes.ts';
import { connectRoutes } from './connect/routes.ts';
import { contactRoutes } from './contact/routes.ts';
import { adminCreditRoutes } from './credits/adminRoutes.ts';
import { creditRoutes } from './credits/routes.ts';
import { demoRoutes } from './demo/routes.ts';
import { draftRoutes } from './drafts/routes.ts';
import { analyticsRoutes } from './engagement/routes.ts';
import { favouriteRoutes } from './favourites/routes.ts';
import type { AppEnv } from './http/route.ts';
import { adminLegalRoutes, legalRoutes } from './legal/routes.ts';
import { adminFeeRoutes } from './listings/routes.ts';
import type { Broadcast } from './live/broadcast.ts';
import { adminLiveRoutes, connectLiveRoutes, liveRoutes } from './live/routes.ts';
import { adminMarkRoutes } from './mark/routes.ts';
import { outageRoutes } from './outages/routes.ts';
import { adminPurchaseRoutes } from './payments/adminRoutes.ts';
import { receiptRoutes } from './payments/receipts/routes.ts';
import { paymentRoutes, purchaseRoutes } from './payments/routes.ts';
import { publicProductRoutes } from './productpages/routes.ts';
import { adminIntegrityRoutes } from './products/integrity/integrityRoutes.ts';
import { adminProductRoutes, productRoutes } from './products/routes.ts';
import { pushRoutes } from './push/routes.ts';
import { queueRoutes } from './queue/routes.ts';
import { adminReportRoutes } from './reports/adminRoutes.ts';
import { reportRoutes, shopReportRoutes } from './reports/routes.ts';
import { marketSearchRoutes } from './search/routes.ts';
import { adminNotificationRoutes, adminSellerRoutes } from './sellers/routes.ts';
import { adminSettingRoutes } from './settings/routes.ts';
import { shopRoutes } from './shops/routes.ts';
import { adminSlotRoutes } from './slots/adminRoutes.ts';
import { slotRoutes } from './slots/routes.ts';
import { trackingRoutes } from './tracking/routes.ts';
import { upkeepRoutes } from './upkeep/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';

/** Event streams; a route without one answers that it has none. */
export type Broadcasts = {
  broadcast?: Broadcast;
  connectBroadcast?: Broadcast;
  adminBroadcast?: Broadcast;
};

/** Every route under `/api`; the pages' typed client is made of its type. */
export const apiRoutes = (
  auth: Auth,
  { broadcast, connectBroadcast, adminBroadcast }: Broadcasts,
) =>
  new Hono<AppEnv>()
    .route('/auth', authRoutes(auth))
    .route('/account', accountRoutes(auth))
    .route('/chats', chatRoutes)
    .route('/drafts', draftRoutes)
    .route('/products', productRoutes)
    .route('/market/products', publicProductRoutes)
    .route('/market', marketSearchRoutes)
    .route('/', shopRoutes)
    .route('/products', reportRoutes)
    .route('/products', statusPictureRoutes)
    .route('/shops', shopReportRoutes)
    .route('/favourites', favouriteRoutes)
    .route('/alerts', alertRoutes)
    .route('/push', pushRoutes)
    .route('/uploads', uploadRoutes)
    .route('/credits', creditRoutes)
    .route('/credits', purchaseRoutes)
    .route('/payments', paymentRoutes)
    .route('/receipts', receiptRoutes)
    .route('/', contactRoutes)
    .route('/legal', legalRoutes)
    .route('/connect', connectRoutes)
    .route('/connect', connectLiveRoutes(connectBroadcast))
    .route('/admin/connect', adminConnectRoutes)
    .route('/', slotRoutes)
    .route('/admin/products', adminProductRoutes)
    .route('/admin', adminSlotRoutes)
    .route('/admin/queue', queueRoutes)
    .route('/admin/sellers', adminSellerRoutes)
    .route('/admin/sellers', adminChatRoutes)
    .route('/admin/notifications', adminNotificationRoutes)
    .route('/admin/settings/mark', adminMarkRoutes)
    .route('/admin/settings', adminSettingRoutes)
    .route('/admin/legal', adminLegalRoutes)
    .route('/admin/team', teamRoutes)
    .route('/admin/second-factor', secondFactorRoutes(auth))
    .route('/admin/fees', adminFeeRoutes)
    .route('/admin/outages', outageRoutes)
    .route('/admin/credits', adminCreditRoutes)
    .route('/admin/credits/purchases', adminPurchaseRoutes)
    .route('/admin/integrity', adminIntegrityRoutes)
    .route('/admin/reports', adminReportRoutes)
    .route('/admin/audit', adminAuditRoutes)
    .route('/admin', analyticsRoutes)
    .route('/admin', upkeepRoutes)
    .route('/admin', adminLiveRoutes(adminBroadcast))
    .route('/demo', demoRoutes)
    .route('/', trackingRoutes)
    .route('/', liveRoutes(broadcast));
