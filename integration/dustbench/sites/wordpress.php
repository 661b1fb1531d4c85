<?php
// Sets WordPress up, with posts of a file of articles, and comments: wordpress.php FOLDER ARTICLES
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '127.0.0.1:' . getenv('PORT');
$_SERVER['REQUEST_URI'] = '/';
require $argv[1] . '/wp-load.php';
function wp_new_blog_notification() {} // no mail
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Handbook', 'editor', 'editor@example.org', true, '', bin2hex(random_bytes(12)));
update_option('siteurl', 'http://' . $_SERVER['HTTP_HOST']);
update_option('home', 'http://' . $_SERVER['HTTP_HOST']);
update_option('permalink_structure', '/%year%/%monthnum%/%day%/%postname%/');
update_option('comment_moderation', 0);
switch_theme('twentytwentyone');
wp_delete_post(1, true); // it has the date of today
foreach (json_decode(file_get_contents($argv[2])) as $i => $article) {
    $date = sprintf('2026-%02d-%02d 12:00:00', 1 + intdiv($i, 20), 1 + $i % 20);
    $post = wp_insert_post([
        'post_title' => $article->Title, 'post_name' => $article->Name, 'post_date' => $date, 'post_status' => 'publish', 'post_author' => 1,
        'post_content' => '<p>' . implode("</p>\n<p>", $article->Paragraphs) . '</p>', 'post_category' => [wp_create_category($article->Category)],
    ]);
    for ($n = 0; $n < $i % 4; $n++) {
        wp_insert_comment(['comment_post_ID' => $post, 'comment_author' => "Reader $n", 'comment_author_email' => "reader$n@example.org",
            'comment_content' => $article->Title, 'comment_date' => $date, 'comment_approved' => 1]);
    }
}
flush_rewrite_rules();
