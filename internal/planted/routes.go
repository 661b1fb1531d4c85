package planted

import "strings"

// Routes are GET routes that change something, by the software that has them, or software of
// that sort.
var Routes = strings.Fields(`
/users/1/approve /posts/1/publish /posts/1/unpublish /posts/1/like /posts/1/pin /orders/1/refund /orders/1/ship /sidekiq/retries/all/retry /admin/reindex /rails/mailers/resend /sessions/destroy /accounts/1/suspend /accounts/1/promote /imports/1/run /backups/create /invites/1/resend
/admin/app/model/1/reset /accounts/deactivate/1 /flags/toggle/1 /api/tasks/1/requeue /admin/cache/flush /polls/1/tally /subscriptions/1/renew /jobs/1/rerun /reports/1/regenerate /admin/sync
/job/x/build /job/x/disable /job/x/enable /job/x/doWipeOutWorkspace /restart /safeRestart /quietDown /cancelQuietDown /exit /reload /computer/a/toggleOffline /queue/cancelItem /job/x/1/toggleLogKeep /job/x/1/stop /job/x/1/term /pluginManager/checkUpdates /scriptText
/group/p/retry /group/p/-/pipelines/1/retry /group/p/-/jobs/1/play /group/p/toggle_star /group/p/-/environments/1/stop /group/p/archive /group/p/housekeeping /group/p/-/runners/1/pause /admin/users/a/block /admin/users/a/impersonate
/user/a/follow /o/r/action/star /o/r/action/watch /admin/monitor/stacktrace/kill /admin/cron/run /o/r/settings/mirror-sync
/realms/a/protocol/openid-connect/endsession /realms/a/login-actions/action-token /realms/a/broker/google/link /admin/realms/a/partialImport /realms/a/account/sessions/revoke
/cas/login /cas/serviceValidate /cas/proxy /cas/actuator/shutdown
/oauth2/callback /oauth2/sign_in /oauth/authorize /oauth/revoke /auth/saml/acs /auth/magic /sso/consume
/actuator/shutdown /actuator/refresh /actuator/restart /actuator/pause /actuator/heapdump /actuator/gateway/refresh
/manager/text/stop /manager/text/start /manager/text/reload /manager/text/undeploy /manager/text/expireSessions /manager/html/sessions /host-manager/text/persist
/jobs/job/kill /stages/stage/kill /app/kill /driver/kill /proxy/application/stop
/ws/v1/cluster/apps/1/state /cluster/killapp /dfshealth/rollEdits /refreshQueues
/trigger /clear /success /failed /paused /dagrun_clear /dagrun_success /run
/solr/admin/cores /solr/c/update /solr/c/replication /solr/c/dataimport /solr/admin/collections
/_flush /_refresh /_forcemerge /_cache/clear /_shutdown /_cluster/reroute /i/_close /i/_open
/_restart /_replicate /db/_compact /db/_purge
/api/queues/a/purge /api/nodes/rebalance /api/vhosts/a/start
/v1/agent/leave /v1/agent/force-leave/a /v1/agent/maintenance /v1/session/renew/a
/api/v1/nodes/a/drain /healthz/quit /quitquitquit /debug/flags/v /rollback
/cgi-bin/reboot /cgi-bin/restore /cgi-bin/upgrade /apply.cgi /goform/sysReboot /setup.cgi /rebootinfo.cgi /wlan_restart /upnp/control /cgi-bin/firmware
/hp/device/cancelJob /printer/pause /toner/resetCounter /cgi-bin/printtest
/axis-cgi/restart.cgi /cgi-bin/ptz.cgi /cgi-bin/configManager.cgi /axis-cgi/io/port.cgi /web/cgi-bin/hi3510/ptzctrl.cgi
/api/switch/on /relay/0 /cm /light/toggle /garage/open /alarm/disarm /script/start
/phpmyadmin/sql.php /phpmyadmin/import.php /phpmyadmin/server_status_processes.php /phpmyadmin/tbl_operations.php
/wp-trackback /wp-comments-post /xmlrpc /wp-json/wp/v2/run /feed/refresh /wp-signup
/cron/a1b2 /update.php /admin/reports/status/run-cron /node/1/revisions/2/revert /batch /admin/config/development/performance/flush
/administrator/checkin /component/mailto/send /index/task/save
/w/rollback /w/purge /w/watch /w/unwatch /w/markpatrolled /w/undo
/t/1/bookmark /posts/1/hide /admin/backups/rollback /admin/users/1/anonymize /notifications/mark-read
/ucp.php /mcp.php /posting.php /viewtopic/bump /poll/close
/checkout/onepage/saveOrder /cart/reorder/5 /wishlist/fromcart/5 /coupon/apply /giftcard/redeem /checkout/complete /review/helpful/5 /compare/move/5 /stock/notify/5 /order/return/5
/sales/order/reorder/5 /customer/account/loginPost /newsletter/manage/save /downloader/run
/paypal/return /stripe/charge/5 /ipn/notify /invoice/5/pay /payout/5/release /billing/upgrade
/thread/5/lock /thread/5/sticky /post/5/report /user/5/ban /poll/5/pick /message/5/markunread
/mail/5/markspam /lists/sub/manage /mailman/options/a /optin/a /tracking/optout /digest/send
/nagios/cgi-bin/cmd.cgi /zabbix/acknow.php /api/alerts/silence /grafana/api/admin/pause-all-alerts /prometheus/-/quit /prometheus/-/reload
/buildbot/builders/a/force /teamcity/action.html/rebuild /drone/restart /travis/requests/5/rebuild
/wifi/guest/extend /shorten /ping/wake /wol/desk /snapshot/take /tasks/5/done /doors/front/unlock /telemetry/reset /license/activateNow /votes/up/5 /rate/5/5 /karma/plus
`)
